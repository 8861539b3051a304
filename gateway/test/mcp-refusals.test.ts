import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectMcp, type McpSession, REVISIONS, textOf } from '../test-support/mcp-client.ts';
import { type ScriptedGateway, startScriptedGateway } from '../test-support/scripted-gateway.ts';

let gateway: ScriptedGateway;

beforeAll(async () => {
  gateway = await startScriptedGateway();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => {
  gateway.reset();
});

describe.each(REVISIONS)('for a client of revision %s', (revision) => {
  let session: McpSession;
  beforeAll(async () => {
    session = await connectMcp(gateway.url, revision);
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
  });

  const search = (args: Record<string, unknown> = {}) =>
    session.call('search_companies', { query: 'bids', request_key: 'k', ...args });
  const overRest = (json: Record<string, unknown> = {}) =>
    gateway.call('/api/companies/search', { method: 'POST', requestKey: 'k', json: { query: 'bids', ...json } });

  test.each([
    [{ limit: 0 }],
    [{ limit: 1.5 }],
    [{ limit: '3' }],
    [{ limit: null }],
    [{ background: 'true' }],
    [{ query: 7 }],
    [{ filters: { nothing: [] } }],
    [{ filters: { countries: ['MX'] } }],
    [{ unknown: 1 }],
    [{ filters: { company_ids: Array.from({ length: 101 }, (_, index) => index + 1) } }],
  ])('%o is refused as REST refuses it, as a result, and reaches no service', async (args) => {
    const result = await search(args);
    const response = await overRest(args);
    expect(response.status).toBe(422);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ error: { code: 'invalid_search' } });
    const message = ({ error }: { error: { message: string } }) => error.message;
    expect(message(result.structuredContent as never)).toBe(message((await response.json()) as never));
    expect(gateway.sent).toEqual([]);
  });

  test.each([
    [undefined, 'idempotency_key_required'],
    ['', 'idempotency_key_required'],
    [' \t', 'idempotency_key_required'],
    ['a\u0007b', 'invalid_search'],
    [7, 'invalid_search'],
    [null, 'invalid_search'],
  ])('request_key %j is %s', async (request_key, code) => {
    const result = await search({ request_key });
    expect(result.structuredContent).toMatchObject({
      error: { code, message: expect.stringContaining('request_key') },
    });
    expect(gateway.sent).toEqual([]);
  });

  test.each([
    [{}],
    [{ ids: [1], domains: ['a.example'] }],
    [{ ids: [] }],
    [{ ids: ['1'] }],
    [{ ids: [0] }],
    [{ ids: Array.from({ length: 21 }, (_, index) => index + 1) }],
    [{ domains: [1] }],
    [{ 'ids[]': [1] }],
  ])('a look-up of %o is refused: exactly one of ids and domains, at most 20', async (args) => {
    const result = await session.call('get_companies', { ...args, request_key: 'k' });
    expect(result.structuredContent).toMatchObject({ error: { code: 'invalid_search' } });
    expect(gateway.sent).toEqual([]);
  });

  test('a look-up that reached the allowance says what is left, too', async () => {
    gateway.script.next = () => {
      throw fail(FailureCode.REQUEST_LIMIT_REACHED, 'Refused.', { retryAfterSeconds: 7 });
    };
    const result = await session.call('get_companies', { ids: [1], request_key: 'k' });
    expect(result._meta).toMatchObject({
      ratelimit: '"window";r=0;t=0, "week";r=8;t=0',
      'ratelimit-policy': '"window";q=60;w=18000, "week";q=500;w=604800',
    });
  });

  test('refusals of other services are results with isError, the Error body and their headers', async () => {
    const retryAt = new Date('2026-03-04T05:06:07Z');
    gateway.script.next = () => {
      throw fail(FailureCode.REQUEST_LIMIT_REACHED, 'Used up.', { retryAt, retryAfterSeconds: 7 });
    };
    const result = await search();
    const response = await overRest();
    expect(response.status).toBe(429);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: await response.json(),
      _meta: { 'retry-after': '7' },
    });
    expect(textOf(result)).toContain('request_limit_reached');
  });

  test.each([
    ['service_unavailable', () => fail(FailureCode.SERVICE_UNAVAILABLE, 'Later.')],
    ['internal_error', () => new ConnectError('secret of the house', Code.Internal)],
    ['idempotency_conflict', () => fail(FailureCode.IDEMPOTENCY_CONFLICT, 'Other inputs.')],
    ['invalid_cursor', () => fail(FailureCode.INVALID_CURSOR, 'Restart.')],
  ])('%s is a result with isError', async (code, thrown) => {
    gateway.script.next = () => {
      throw thrown();
    };
    const result = await search();
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code } } });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  test('without an active subscription tools can be listed, and a call is a result that says so', async () => {
    gateway.script.subscriptionStatus = 'canceled';
    await using session = await connectMcp(gateway.url, revision);
    expect((await session.client.listTools()).tools).toHaveLength(2);
    const result = await session.call('search_companies', { query: 'bids', request_key: 'k' });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'subscription_required' } } });
    expect(gateway.sent).toEqual([]);
  });

  test('a revoked or missing credential is HTTP 401', async () => {
    await expect(connectMcp(gateway.url, revision, 'ces_live_other')).rejects.toThrow(
      /401|[Uu]nauthorized|invalid_api_key/,
    );
  });
});
