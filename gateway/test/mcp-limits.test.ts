import http from 'node:http';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { modernMessage } from '../test-support/mcp-client.ts';
import { answerOf, searched, TOKEN } from '../test-support/peers.ts';

let submitted = 0;
let blocker: PromiseWithResolvers<void> | undefined;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway(
    {
      operations: {
        submitCompanySearch: async () => {
          submitted += 1;
          await blocker?.promise;
          return { answer: answerOf(searched) };
        },
      },
    },
    { config: { accountCallsInFlight: 1 } },
  );
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => {
  submitted = 0;
  blocker = undefined;
});

const call = { name: 'search_companies', arguments: { query: 'bids', request_key: 'k' } };
const post = ({ json, headers }: { json: unknown; headers: Record<string, string> }) =>
  gateway.call('/mcp', { method: 'POST', json, headers });
/** Reads the whole answer, because the connection would otherwise stay in use. */
const statusOf = async (answer: Promise<Response>) => {
  const response = await answer;
  await response.text();
  return response.status;
};
const bodyOf = async (response: Response) => (await response.json()) as never;

test('too many calls in flight are a result for a call and 503 for everything else', async () => {
  blocker = Promise.withResolvers();
  const first = post(modernMessage('tools/call', call));
  await expect.poll(() => submitted).toBe(1);
  expect(await bodyOf(await post(modernMessage('tools/call', call)))).toMatchObject({
    result: {
      isError: true,
      structuredContent: { error: { code: 'service_unavailable' } },
      _meta: { 'retry-after': '2' },
    },
  });
  const listed = await post(modernMessage('tools/list'));
  expect([listed.status, listed.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await bodyOf(listed)).toMatchObject({ error: { code: 'service_unavailable' } });
  blocker.resolve();
  expect(await statusOf(first)).toBe(200);
});

test('a client that goes away cancels nothing, and its call counts until the work is done', async () => {
  blocker = Promise.withResolvers();
  const { json, headers } = modernMessage('tools/call', call);
  const leaving = http.request(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  });
  leaving.on('error', () => undefined);
  leaving.end(JSON.stringify(json));
  await expect.poll(() => submitted).toBe(1);
  leaving.destroy();
  expect(await statusOf(post(modernMessage('tools/list')))).toBe(503);
  blocker.resolve();
  await expect.poll(async () => await statusOf(post(modernMessage('tools/list')))).toBe(200);
  expect(submitted).toBe(1);
});

async function refusalsOf(other: TestGateway) {
  const send = (method: string, params = {}) => {
    const { json, headers } = modernMessage(method, params);
    return other.call('/mcp', { method: 'POST', json, headers });
  };
  const { result } = (await (await send('tools/call', call)).json()) as { result: Record<string, unknown> };
  return { result, status: await statusOf(send('tools/list')) };
}

test('too many calls a second are a result for a call and 429 for everything else', async () => {
  await using other = await startGateway(
    {},
    { config: { credentialCallsPerSecond: 1, credentialBurst: 1 }, now: () => 0 },
  );
  await other.call('/api/usage');
  expect(await refusalsOf(other)).toMatchObject({
    result: {
      isError: true,
      structuredContent: { error: { code: 'rate_limited', retry_after_seconds: 1 } },
      _meta: { 'retry-after': '1' },
    },
    status: 429,
  });
});

test('while no service can say whose the credential is, a call is a result and everything else is 503', async () => {
  const authenticate = () => {
    throw fail(FailureCode.SERVICE_UNAVAILABLE, 'Later.');
  };
  await using other = await startGateway({ ledger: { authenticate } });
  expect(await refusalsOf(other)).toMatchObject({
    result: {
      isError: true,
      structuredContent: { error: { code: 'service_unavailable' } },
      _meta: { 'retry-after': '2' },
    },
    status: 503,
  });
});
