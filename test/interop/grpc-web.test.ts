import http2 from 'node:http2';
import { FailureCode, FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';
import { fetchOver } from './http2-fetch.ts';

let stack: TestStack;
let session: http2.ClientHttp2Session;

beforeAll(async () => {
  stack = await startTestStack();
  session = http2.connect(addressOfOperations());
});
afterAll(async () => {
  session.close();
  await stack[Symbol.asyncDispose]();
});

test('a client for web pages submits, and is metered like every caller', async () => {
  const { token } = await createSubscriber(stack);
  const first = await lookUp(token, 'web');
  expect(first.answer).toMatchObject({ replayed: false, usage: { units: { requestUnits: 1n } } });
  expect((await lookUp(token, 'web')).answer).toMatchObject({ replayed: true, usage: { id: first.answer?.usage?.id } });
});

test('it reads of a refusal its code and when it would be admitted', async () => {
  const { token } = await createSubscriber(stack, { limits: { windowRequestUnits: 1n } });
  await lookUp(token, 'first');
  const refusal = await lookUp(token, 'second').catch((error: unknown) => ConnectError.from(error));
  if (!(refusal instanceof ConnectError)) throw new Error('the call succeeded');
  expect(refusal.code).toBe(Code.ResourceExhausted);
  expect(refusal.findDetails(FailureSchema)).toEqual([
    expect.objectContaining({ code: FailureCode.REQUEST_LIMIT_REACHED, retryAt: expect.anything() }),
  ]);
});

test('it follows a stream of answers until its deadline', async () => {
  const seen: ServingStatus[] = [];
  const follow = async () => {
    const watch = createClient(Health, transport()).watch({}, { timeoutMs: 500 });
    for await (const { status } of watch) seen.push(status);
  };
  await expect(follow()).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  expect(seen).toEqual([ServingStatus.SERVING]);
});

async function lookUp(bearer: string, requestKey: string) {
  return await createClient(OperationsService, transport()).submitCompanyLookup({
    caller: { identity: { case: 'bearer', value: bearer } },
    requestKey,
    input: { ids: [1n] },
  });
}

function transport() {
  return createGrpcWebTransport({ baseUrl: addressOfOperations(), fetch: fetchOver(session) });
}

function addressOfOperations(): string {
  return stack.environmentOf('gateway').CES_OPERATIONS_URL ?? '';
}
