import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { expect, test } from 'vitest';
import { acceptTokens } from '../../../test-support/accept-tokens.ts';
import { createLogger } from '../../telemetry/log.ts';
import { startRpcServer } from '../server.ts';

test('an outside tool lists services and calls one with nothing but an address', async () => {
  await using server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => router.service(LedgerService, {}),
    callers: {},
    callerTokens: acceptTokens({}),
    introspection: true,
    logger: createLogger('test', 'silent'),
  });
  const curl = (...parameters: string[]) =>
    promisify(execFile)('buf', ['curl', '--http2-prior-knowledge', '--protocol', 'grpc', ...parameters]);
  const listed = await curl('--list-services', server.url);
  expect(listed.stdout.trim().split('\n').sort()).toEqual(['ces.ledger.v1.LedgerService', 'grpc.health.v1.Health']);
  const checked = await curl('--data', '{}', `${server.url}/grpc.health.v1.Health/Check`);
  expect(JSON.parse(checked.stdout)).toEqual({ status: 'SERVING' });
});
