import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { createHandlerContext } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { UnauthenticatedCallLimiter } from './unauthenticated-call-limiter.ts';

function callOf(requestSignal: AbortSignal) {
  return createHandlerContext({
    service: LedgerService,
    method: LedgerService.method.authenticate,
    protocolName: 'grpc',
    requestMethod: 'POST',
    url: 'http://127.0.0.1/',
    requestSignal,
  });
}

test('a message of a caller that leaves, before it is taken in or after, arrives no more', () => {
  const limiter = new UnauthenticatedCallLimiter();
  const [left, leaving] = [new AbortController(), new AbortController()];
  left.abort();
  limiter.admit(callOf(left.signal));
  expect(limiter.count).toBe(0);
  limiter.admit(callOf(leaving.signal));
  expect(limiter.count).toBe(1);
  leaving.abort();
  expect(limiter.count).toBe(0);
});
