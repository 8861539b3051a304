import { randomUUID } from 'node:crypto';
import type { AnswerBody } from '@ces/gateway/test-support/answer-body';
import { connectMcp, type McpSession } from '@ces/gateway/test-support/mcp-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBody } from '../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let sandbox: Subscriber;
let live: Subscriber;
let session: McpSession;

beforeAll(async () => {
  stack = await startTestStack({ env: { CES_OPERATIONS_SANDBOX_SLOW_MS: '1500', CES_OPERATIONS_WAIT_MS: '700' } });
  sandbox = await createSubscriber(stack, { plan: 'builder', testMode: true });
  live = await createSubscriber(stack);
  session = await connectMcp(stack.baseUrl, '2026-07-28', sandbox.token);
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

type Call = (query: string, key: string) => Promise<Pick<Answer, 'body'> & { readonly failed: boolean }>;

const overRest: Call = async (query, key) => {
  const { status, body } = await sandbox.search({ query }, key);
  return { body, failed: status >= 400 };
};
const overMcp: Call = async (query, request_key) => {
  const result = await session.call('search_companies', { query, request_key });
  return { body: result.structuredContent as AnswerBody, failed: result.isError === true };
};
const observations: Call = async (query, key) => {
  const { status, body } = await sandbox.request('POST', '/api/observations/search', { key, json: { query } });
  return { body, failed: status >= 400 };
};
const used = async () => (await sandbox.report()).body;

describe.each([
  ['REST', overRest],
  ['MCP', overMcp],
  ['an observation search', observations],
])('a test credential over %s', (_name, call) => {
  test.each([
    ['sandbox:planning_unavailable', 'planning_unavailable'],
    ['sandbox:failed', 'search_failed'],
  ])('%s fails with %s, is stored so and costs nothing', async (query, code) => {
    const key = randomUUID();
    const before = await used();
    const first = await call(query, key);
    expect(first).toMatchObject({
      failed: true,
      body: { error: { code }, usage: { status: 'failed', request_units: 0, delivered_units: 0, request_key: key } },
    });
    expect(await call(query, key)).toEqual(first);
    const poll = await sandbox.poll(first.body.usage.id);
    expectBody(poll, 422, 'Error');
    expect(poll.body).toEqual(first.body);
    const after = await used();
    expect([after.usage, after.reservations]).toEqual([before.usage, before.reservations]);
  });

  test('sandbox:slow is 202 first and the result later, under the same key and as a poll', async () => {
    const key = randomUUID();
    const first = await call('sandbox:slow', key);
    expect(first).toMatchObject({ failed: false, body: { usage: { status: 'pending', request_key: key } } });
    const { id } = first.body.usage;
    const poll = () => sandbox.poll(id);
    await expect.poll(async () => (await poll()).status, { timeout: 60_000, interval: 300 }).toBe(200);
    const result = await call('sandbox:slow', key);
    expect(result).toMatchObject({ failed: false, body: { usage: { id, status: 'delivered', request_units: 1 } } });
    expect((await poll()).body).toEqual(result.body);
  });

  test('sandbox:limit_reached is 429 with an instant to come back at, and leaves the key free', async () => {
    const key = randomUUID();
    const { failed, body } = await call('sandbox:limit_reached', key);
    expect(failed).toBe(true);
    expect(body).toEqual({
      error: expect.objectContaining({ code: 'request_limit_reached', retry_after_seconds: expect.any(Number) }),
    });
    expect(Date.parse(body.error.retry_at ?? '')).toBeGreaterThan(Date.now());
    expect(await call('another query', key)).toMatchObject({ failed: false, body: { usage: { request_key: key } } });
  });

  test('only the exact words are meant', async () => {
    for (const query of ['sandbox:', 'sandbox:failed now', 'SANDBOX:FAILED'])
      expect(await call(query, randomUUID()), query).toMatchObject({ failed: false });
  });
});

test('to a live credential these are queries like any other', async () => {
  for (const name of ['planning_unavailable', 'failed', 'slow', 'limit_reached'])
    expectBody(await live.search({ query: `sandbox:${name}` }), 200, 'CompanyResult');
});

test('429 says over REST what the allowance is', async () => {
  const { status, headers } = await sandbox.search({ query: 'sandbox:limit_reached' });
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(headers.get('ratelimit')).toContain('window');
});

test('the documentation names every scripted query', async () => {
  const document = await (await fetch(new URL('/openapi.json', stack.baseUrl))).text();
  for (const name of ['planning_unavailable', 'failed', 'slow', 'limit_reached'])
    expect(document).toContain(`sandbox:${name}`);
});
