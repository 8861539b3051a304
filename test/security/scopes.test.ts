import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber, surface } from '../support/subscriber.ts';

// What a credential with a single scope may do, on every surface (decision 0033).

const SCOPES = ['search', 'lookup', 'usage'] as const;
type Scope = (typeof SCOPES)[number];
type Surface = ReturnType<typeof surface>;

let stack: TestStack;
let subscriber: Subscriber;
const tokens = new Map<Scope, string>();

beforeAll(async () => {
  stack = await startTestStack({ env: { CES_ADDRESS_FAILURES_PER_SECOND: '5' } });
  subscriber = await createSubscriber(stack);
  for (const scope of SCOPES) {
    const { accountId } = subscriber;
    tokens.set(scope, (await stack.ledgerAdmin.issueCredential({ accountId, scopes: [scope] })).token);
  }
});
afterAll(() => stack[Symbol.asyncDispose]());

function tokenOf(scope: Scope): string {
  return tokens.get(scope) ?? '';
}

const as = (scope: Scope) => surface(stack.baseUrl, tokenOf(scope));

const OBSERVATIONS = { domains: ['a.example'], since: '2026-11-01T00:00:00Z' };
const ROUTES: readonly (readonly [string, readonly Scope[], (who: Surface) => Promise<Answer>])[] = [
  ['POST /api/companies/search', ['search'], (who) => who.search({ query: 'plants' })],
  ['GET /api/companies', ['lookup'], (who) => who.lookUp({ ids: [1] })],
  ['GET /api/companies/{id}', ['lookup'], (who) => who.request('GET', '/api/companies/1', { key: randomUUID() })],
  [
    'GET /api/observations',
    ['lookup'],
    (who) =>
      who.request('GET', '/api/observations?domains[]=a.example&since=2026-11-01T00:00:00Z', { key: randomUUID() }),
  ],
  [
    'POST /api/observations/lookup',
    ['lookup'],
    (who) => who.request('POST', '/api/observations/lookup', { key: randomUUID(), json: OBSERVATIONS }),
  ],
  [
    'POST /api/observations/search',
    ['search'],
    (who) => who.request('POST', '/api/observations/search', { key: randomUUID(), json: { query: 'plants' } }),
  ],
  [
    'POST /api/usages',
    ['search'],
    (who) => who.request('POST', '/api/usages', { key: randomUUID(), json: { query: 'plants' } }),
  ],
  ['GET /api/observations/{id}', ['lookup'], (who) => who.request('GET', '/api/observations/1')],
  ['GET /api/usage', ['usage'], (who) => who.report()],
  ['GET /api/usages', ['usage'], (who) => who.request('GET', '/api/usages')],
  ['GET /api/usage/statement', ['usage'], (who) => who.request('GET', '/api/usage/statement')],
  ['POST /api/diagnostics', SCOPES, (who) => who.request('POST', '/api/diagnostics', { key: randomUUID(), json: {} })],
];

test.each(ROUTES)('%s takes credentials of the scope that it needs', async (_route, needed, call) => {
  for (const scope of SCOPES) {
    const answer = await call(as(scope));
    if (needed.includes(scope)) expect([scope, answer.status]).not.toEqual([scope, 401]);
    else expectScopeMissing(answer, needed[0]);
  }
});

function expectScopeMissing({ status, headers, body }: Answer, scope: Scope | undefined): void {
  expect([status, body.error?.code]).toEqual([401, 'invalid_api_key']);
  expect(body.error.message).toContain(`\`${scope}\``);
  expect(Object.keys(body)).toEqual(['error']);
  expect(headers.get('www-authenticate')).toBe('Bearer');
}

test('an operation is polled with the scope that submits it, or with `usage`, and no other', async () => {
  const search = (await as('search').search({ query: 'plants' })).body.usage.id;
  const lookup = (await as('lookup').lookUp({ ids: [1] })).body.usage.id;
  const statuses = async (id: number) => {
    const answers = await Promise.all(SCOPES.map(async (scope) => [scope, (await as(scope).poll(id)).status]));
    return Object.fromEntries(answers);
  };
  expect(await statuses(search)).toEqual({ search: 200, lookup: 401, usage: 200 });
  expect(await statuses(lookup)).toEqual({ search: 401, lookup: 200, usage: 200 });
  const refused = await as('lookup').poll(search);
  expect(refused.body.error.message).toContain('`search` or `usage`');
  for (const scope of SCOPES) expect((await as(scope).poll(999_999)).body.error.code).toBe('usage_not_found');
});

test('a missing scope is refused before the body is looked at, and the key stays free', async () => {
  const key = randomUUID();
  const malformed = { authorization: `Bearer ${tokenOf('usage')}`, 'content-type': 'application/json' };
  const response = await fetch(new URL('/api/companies/search', stack.baseUrl), {
    method: 'POST',
    headers: { ...malformed, 'idempotency-key': key },
    body: '{',
  });
  expect(response.status).toBe(401);
  const { status, headers } = await as('search').search({ query: 'plants' }, key);
  expect([status, headers.get('idempotent-replayed')]).toEqual([200, null]);
});

test('a missing scope is no failed authentication of its address', async () => {
  for (let tries = 0; tries < 12; tries += 1) expect((await as('usage').search({ query: 'plants' })).status).toBe(401);
  expect((await as('search').search({ query: 'plants' })).status).toBe(200);
});

test('over MCP a tool that the credential may not call is refused with 401 by HTTP, lists are not', async () => {
  const call = async (scope: Scope, method: string, params: object = {}) => {
    const response = await fetch(new URL('/mcp', stack.baseUrl), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokenOf(scope)}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() } as Answer;
  };
  const tool = (name: string, args: object) => ({ name, arguments: { request_key: randomUUID(), ...args } });
  const search = tool('search_companies', { query: 'plants' });
  const lookup = tool('get_companies', { ids: [1] });
  expectScopeMissing(await call('lookup', 'tools/call', search), 'search');
  expectScopeMissing(await call('usage', 'tools/call', lookup), 'lookup');
  for (const [scope, params] of [
    ['search', search],
    ['lookup', lookup],
  ] as const) {
    const { status, body } = await call(scope, 'tools/call', params);
    expect([status, body.result?.isError]).toEqual([200, false]);
  }
  for (const scope of SCOPES) expect((await call(scope, 'tools/list')).body.result.tools).toHaveLength(2);
});

test('over gRPC a bearer submits what its scopes allow', async () => {
  const operations = createRpcClient(OperationsService, {
    url: stack.environmentOf('gateway').CES_OPERATIONS_URL ?? '',
    timeoutMs: 30_000,
  });
  const submit = (scope: Scope) =>
    operations.submitCompanySearch({
      caller: { identity: { case: 'bearer', value: tokenOf(scope) } },
      requestKey: randomUUID(),
      input: { query: 'plants' },
    });
  expect((await submit('search')).answer?.usage?.id).toBeGreaterThan(0n);
  for (const scope of ['lookup', 'usage'] as const) {
    const failure = failureOf(await submit(scope).catch((error: unknown) => error));
    expect(failure).toMatchObject({ code: FailureCode.INVALID_API_KEY, message: expect.stringContaining('`search`') });
  }
});

test('a credential is refused from the moment that it expires, everywhere and in the words for an invalid one', async () => {
  const { accountId } = subscriber;
  const expiresAt = new Date(Date.now() + 2_500);
  const { token } = await stack.ledgerAdmin.issueCredential({ accountId, expiresAt: timestampFromDate(expiresAt) });
  const who = surface(stack.baseUrl, token);
  let lastGoodAt = 0;
  const refused = async () => {
    const askedAt = Date.now();
    const answer = await who.report();
    if (answer.status === 200) lastGoodAt = askedAt;
    return answer;
  };
  expect((await refused()).status).toBe(200);
  await expect.poll(async () => (await refused()).status, { timeout: 60_000, interval: 20 }).toBe(401);
  expect(lastGoodAt).toBeGreaterThan(0);
  expect(lastGoodAt).toBeLessThanOrEqual(expiresAt.getTime());
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime() - 100);
  const { error } = (await who.report()).body;
  expect(error).toEqual((await surface(stack.baseUrl, 'ces_live_none').report()).body.error);
});
