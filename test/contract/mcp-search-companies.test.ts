import { randomUUID } from 'node:crypto';
import type { AnswerBody } from '@ces/gateway/test-support/answer-body';
import { connectMcp, type McpSession, REVISIONS, textOf } from '@ces/gateway/test-support/mcp-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(6, 'battery plant');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

const query = 'battery plant';

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  let subscriber: Subscriber;
  let session: McpSession;
  beforeAll(async () => {
    subscriber = await createSubscriber(stack, { plan: 'builder' });
    session = await connectMcp(stack.baseUrl, revision, subscriber.token);
  });
  afterAll(() => session[Symbol.asyncDispose]());

  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await session.call(name, args);
    return { result, body: result.structuredContent as AnswerBody, meta: result._meta ?? {} };
  };
  const settled = async () => (await subscriber.report()).body.usage;

  test('one key is one operation over MCP and HTTP: the same id, the same body, one charge', async () => {
    const request_key = randomUUID();
    const before = await settled();
    const first = await call('search_companies', { query, limit: 4, request_key });
    expect(first.result.isError).toBe(false);
    expect(first.body.usage).toMatchObject({ status: 'delivered', request_key, request_units: 1, delivered_units: 4 });
    expect(first.meta['idempotent-replayed']).toBeUndefined();

    const overHttp = await subscriber.search({ query, limit: 4 }, request_key);
    expect(overHttp.status).toBe(200);
    expect(overHttp.headers.get('idempotent-replayed')).toBe('true');
    expect(overHttp.body).toEqual(first.body);
    const again = await call('search_companies', { query, limit: 4, background: true, request_key });
    expect(again.body).toEqual(first.body);
    for (const name of ['idempotent-replayed', 'usage-id', 'units-settled', 'ratelimit-policy', 'link'])
      expect(again.meta[name]).toBe(overHttp.headers.get(name));
    // A second may pass between the two calls.
    const withoutSeconds = (value: unknown) => String(value).replace(/;t=\d+/g, ';t=…');
    expect(withoutSeconds(again.meta.ratelimit)).toBe(withoutSeconds(overHttp.headers.get('ratelimit')));
    expect((await subscriber.poll(first.body.usage.id)).body).toEqual(first.body);
    expect(await settled()).toMatchObject({
      request_units: before.request_units + 1,
      delivered_units: before.delivered_units + 4,
    });
  });

  test('an operation that began over HTTP is found over MCP', async () => {
    const request_key = ` ${randomUUID()} clé `;
    const encoded = Buffer.from(request_key).toString('latin1');
    const overHttp = await subscriber.search({ query, limit: 2 }, encoded);
    const { body, meta } = await call('search_companies', { query, limit: 2, request_key });
    expect(body).toEqual(overHttp.body);
    expect(meta['idempotent-replayed']).toBe('true');
  });

  test('the same key with different inputs yields idempotency_conflict, and the first operation stays unchanged', async () => {
    const request_key = randomUUID();
    const first = await call('search_companies', { query, limit: 1, request_key });
    const other = await call('search_companies', { query, limit: 2, request_key });
    expect(other.result.isError).toBe(true);
    expect(other.body.error.code).toBe('idempotency_conflict');
    expect((await call('search_companies', { query, limit: 1, request_key })).body).toEqual(first.body);
  });

  test('a background search is polled by the identical call until it is delivered, and is charged once', async () => {
    const args = { query, limit: 3, background: true, request_key: randomUUID() };
    const accepted = await call('search_companies', args);
    expect(Object.keys(accepted.body).sort()).toEqual(['request_allowance', 'usage']);
    expect(accepted.body.usage).toMatchObject({ request_units: 0, delivered_units: 0 });
    expect(accepted.meta).toMatchObject({ 'retry-after': '2', location: `/api/usages/${accepted.body.usage.id}` });
    const poll = async () => (await call('search_companies', args)).body;
    await expect.poll(async () => (await poll()).usage.status, { timeout: 60_000, interval: 100 }).toBe('delivered');
    const { usage, companies } = await poll();
    expect(usage).toMatchObject({ id: accepted.body.usage.id, request_units: 1, delivered_units: 3 });
    expect(companies).toHaveLength(3);
  });

  test('the next page is the same search with next_cursor and a new key', async () => {
    const first = (await call('search_companies', { query, limit: 4, request_key: randomUUID() })).body;
    const next = { query, limit: 4, cursor: first.next_cursor, request_key: randomUUID() };
    const second = (await call('search_companies', next)).body;
    const ids = [...first.companies, ...second.companies].map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    expect(second.next_cursor).toBeNull();
    const spoilt = await call('search_companies', { ...next, cursor: 'x', request_key: randomUUID() });
    expect(spoilt.body.error.code).toBe('invalid_cursor');
  });

  test.each([
    [{ query: ' ' }, 'invalid_search'],
    [{ query, limit: 26 }, 'invalid_search'],
    [{ query, filters: { domains: ['https://a.example/'] } }, 'invalid_search'],
    [{ query, filters: { occurred_after: 'yesterday' } }, 'invalid_search'],
  ])('%o is refused, spends nothing and leaves the key free', async (args, code) => {
    const request_key = randomUUID();
    const before = await settled();
    const { result, body } = await call('search_companies', { ...args, request_key });
    expect(result.isError).toBe(true);
    expect(body).toEqual({ error: { code, message: expect.any(String) } });
    expect(textOf(result)).toContain(code);
    expect(await settled()).toEqual(before);
    expect((await call('search_companies', { query, limit: 1, request_key })).body.usage.status).toBe('delivered');
  });

  test('a used up allowance is request_limit_reached with the time to come back', async () => {
    const poor = await createSubscriber(stack, { plan: 'builder', limits: { windowRequestUnits: 1n } });
    await using own = await connectMcp(stack.baseUrl, revision, poor.token);
    await own.call('search_companies', { query, limit: 1, request_key: 'first' });
    const refused = await own.call('search_companies', { query, limit: 1, request_key: 'second' });
    const { error } = refused.structuredContent as AnswerBody;
    expect(refused.isError).toBe(true);
    expect(error).toMatchObject({ code: 'request_limit_reached', retry_at: expect.any(String) });
    expect(refused._meta?.['retry-after']).toBe(String(error.retry_after_seconds));
    const replay = await own.call('search_companies', { query, limit: 1, request_key: 'first' });
    expect(replay.isError).toBe(false);
  });

  test('a stored failure is replayed with its operation', async () => {
    const tester = await createSubscriber(stack, { plan: 'builder', testMode: true });
    await using own = await connectMcp(stack.baseUrl, revision, tester.token);
    const args = { query: 'sandbox:planning_unavailable', request_key: 'k' };
    for (let attempt = 0; attempt < 2; attempt++) {
      const result = await own.call('search_companies', args);
      expect(result).toMatchObject({
        isError: true,
        structuredContent: {
          error: { code: 'planning_unavailable' },
          usage: { status: 'failed', request_units: 0, delivered_units: 0 },
        },
      });
    }
  });

  test('a subscription that is not active is a result, a revoked credential is HTTP 401', async () => {
    const unpaid = await createSubscriber(stack, { status: 'past_due' });
    await using own = await connectMcp(stack.baseUrl, revision, unpaid.token);
    const call = () => own.call('search_companies', { query, request_key: 'k' });
    expect(await call()).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'subscription_required' } },
    });
    await stack.ledgerAdmin.revokeCredential({ credentialId: unpaid.credentialId });
    const refusal = () => call().then(String, String);
    await expect.poll(refusal).toMatch(/invalid_api_key|Unauthorized/);
  });
});
