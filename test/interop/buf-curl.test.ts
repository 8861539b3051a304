// @module-tag nightly
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fromBinary } from '@bufbuild/protobuf';
import { type Failure, FailureCode, FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';
import { type BufRefusal, bufCurl, type Protocol, run } from './buf-curl.ts';
import { documentedCommand, documentedVariables, ROOT } from './documented-calls.ts';

const ADMIN = { 'x-ces-caller-token': 'token-of-admin' };
const PROTOCOLS: readonly Protocol[] = ['grpc', 'grpcweb', 'connect'];
const SUBMIT = '/ces.operations.v1.OperationsService/SubmitCompanyLookup';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

const CALLS = [
  { service: 'LEDGER', path: '/ces.ledger.v1.LedgerAdminService/ListPlans' },
  { service: 'LOOKUP', path: '/ces.lookup.v1.LookupService/ListChanges', request: { limit: 1 } },
  { service: 'SEARCH', path: '/ces.search.v1.SearchAdminService/GetIndexStatus' },
  { service: 'OPERATIONS', path: '/ces.operations.v1.OperationsAdminService/ListOperations', request: { limit: 1 } },
] as const;

describe.each(CALLS)('$service over buf curl', ({ service, ...call }) => {
  test('is healthy and answers a caller it knows', async () => {
    const health = await bufCurl(addressOf(service), { path: '/grpc.health.v1.Health/Check' });
    expect(health).toEqual({ answers: [{ status: 'SERVING' }] });
    expect(await bufCurl(addressOf(service), { ...call, headers: ADMIN })).toEqual({ answers: [expect.any(Object)] });
  });

  test('refuses a stranger with a Failure among the details', async () => {
    const { refusal } = await bufCurl(addressOf(service), call);
    expect(refusal?.code).toBe('permission_denied');
    expect(failureIn(refusal)?.code).toBe(FailureCode.CALLER_NOT_ALLOWED);
  });

  test('names its services by reflection', async () => {
    const { stdout } = await run(['curl', '--http2-prior-knowledge', '--list-services', addressOf(service)]);
    expect(stdout.split('\n')).toContain(call.path.split('/')[1]);
  });
});

test('the command that the page for callers shows submits, and is free the second time', async () => {
  const subscriber = await createSubscriber(stack);
  const variables = documentedVariables({
    operations: new URL(addressOf('OPERATIONS')).host,
    apiKey: subscriber.token,
  });
  const submit = async () => {
    const { stdout } = await promisify(execFile)('sh', ['-ec', documentedCommand('npx buf')], {
      cwd: ROOT,
      env: { ...process.env, ...variables },
    });
    return JSON.parse(stdout).answer;
  };
  const first = await submit();
  expect(first.usage).toMatchObject({ status: 'STATUS_DELIVERED', units: { requestUnits: '1' } });
  expect(await submit()).toMatchObject({ replayed: true, usage: { id: first.usage.id } });
  expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 1 });
});

describe.each(PROTOCOLS)('a program that speaks %s', (protocol) => {
  const lookUp = (bearer: string, requestKey: string) =>
    bufCurl(addressOf('OPERATIONS'), {
      path: SUBMIT,
      protocol,
      request: { caller: { bearer }, requestKey, input: { ids: ['1'] } },
    });

  test('submits with an ordinary credential, and is metered like everyone', async () => {
    const { token } = await createSubscriber(stack);
    const usage = { id: expect.any(String), units: { requestUnits: '1' } };
    expect(await lookUp(token, 'interop')).toMatchObject({ answers: [{ answer: { replayed: false, usage } }] });
    expect(await lookUp(token, 'interop')).toMatchObject({ answers: [{ answer: { replayed: true, usage } }] });
  });

  test('reads of a refusal its code and when it would be admitted', async () => {
    const { token } = await createSubscriber(stack, { limits: { windowRequestUnits: 1n } });
    await lookUp(token, 'first');
    const { refusal } = await lookUp(token, 'second');
    expect(refusal?.code).toBe('resource_exhausted');
    expect(failureIn(refusal)).toMatchObject({
      code: FailureCode.REQUEST_LIMIT_REACHED,
      retryAt: expect.anything(),
    });
  });

  test('is refused because its credential is unknown', async () => {
    const { refusal } = await lookUp('ces_live_unknown', 'stranger');
    expect(refusal?.code).toBe('unauthenticated');
    expect(failureIn(refusal)?.code).toBe(FailureCode.INVALID_API_KEY);
  });
});

function addressOf(service: string): string {
  return stack.environmentOf('gateway')[`CES_${service}_URL`] ?? '';
}

function failureIn(refusal: BufRefusal | undefined): Failure | undefined {
  const detail = refusal?.details?.find(({ type }) => type === FailureSchema.typeName);
  return detail && fromBinary(FailureSchema, Buffer.from(detail.value, 'base64'));
}
