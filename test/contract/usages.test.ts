import { randomUUID } from 'node:crypto';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { Action, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber, surface } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ env: { CES_ACCOUNT_PAGES_PER_SECOND: '1000' } });
  await recordCatalogue(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

type Parameters = Readonly<Record<string, string>>;

const list = (who: Pick<Subscriber, 'request'>, parameters: Parameters = {}) =>
  who.request('GET', `/api/usages?${new URLSearchParams(parameters)}`);

async function listed(who: Pick<Subscriber, 'request'>, parameters: Parameters = {}) {
  const answer = await list(who, parameters);
  expectBody(answer, 200, 'UsageList');
  return answer.body.usages;
}

const idsOf = (usages: Awaited<ReturnType<typeof listed>>) => usages.map(({ usage }) => usage.id);

const lookUp = (who: Subscriber) => who.lookUp({ domains: ['maple.example'] });

test('it lists the operations of the account, newest first, with the usual fields and the action', async () => {
  const subscriber = await createSubscriber(stack);
  const found = (await subscriber.search({ query: '  refrigerated   warehouse ' })).body;
  const looked = (await lookUp(subscriber)).body;
  const checked = (await subscriber.request('POST', '/api/diagnostics', { key: randomUUID() })).body;
  const answer = await list(subscriber);
  expectBody(answer, 200, 'UsageList');
  expect(answer.body.usages.map(({ usage }) => usage)).toEqual([checked.usage, looked.usage, found.usage]);
  expect(answer.body.usages.map(({ action, query, error }) => [action, query, error])).toEqual([
    ['diagnostic', null, null],
    ['company_lookup', null, null],
    ['company_search', 'refrigerated warehouse', null],
  ]);
  expect(answer.body.next_cursor).toBeNull();
  for (const { created_at, finished_at } of answer.body.usages) {
    expect(created_at <= (finished_at ?? '')).toBe(true);
    expect((finished_at ?? '') <= answer.body.as_of).toBe(true);
  }
});

test('reading it costs nothing, and asks for no idempotency key', async () => {
  const subscriber = await createSubscriber(stack);
  await lookUp(subscriber);
  const before = (await subscriber.report()).body;
  for (let read = 0; read < 3; read += 1) await listed(subscriber);
  expect((await subscriber.report()).body).toEqual(before);
});

test('a failed operation has its reason and no units', async () => {
  const sandbox = await createSubscriber(stack, { plan: 'builder', testMode: true });
  const failed = (await sandbox.search({ query: 'sandbox:failed' })).body;
  await lookUp(sandbox);
  const [only, ...others] = await listed(sandbox, { status: 'failed' });
  expect(others).toEqual([]);
  expect(only).toMatchObject({ usage: failed.usage, error: failed.error });
});

test('a running operation is listed as pending or processing, and as delivered once it is', async () => {
  const sandbox = await createSubscriber(stack, { plan: 'builder', testMode: true });
  const { id } = (await sandbox.search({ query: 'sandbox:slow', background: true })).body.usage;
  const open = async () => [
    ...(await listed(sandbox, { status: 'pending' })),
    ...(await listed(sandbox, { status: 'processing' })),
  ];
  expect(idsOf(await open())).toEqual([id]);
  const [entry] = await listed(sandbox);
  expect(entry).toMatchObject({ usage: { id, request_units: 0 }, finished_at: null, error: null });
  expect(await listed(sandbox, { status: 'delivered' })).toEqual([]);
});

test('filters narrow it: action, status, and the moment of acceptance from `since` on and before `until`', async () => {
  const subscriber = await createSubscriber(stack);
  const search = (await subscriber.search({ query: 'refrigerated warehouse' })).body.usage.id;
  const first = (await lookUp(subscriber)).body.usage.id;
  const second = (await lookUp(subscriber)).body.usage.id;
  expect(idsOf(await listed(subscriber, { action: 'company_lookup' }))).toEqual([second, first]);
  expect(idsOf(await listed(subscriber, { action: 'company_search', status: 'delivered' }))).toEqual([search]);
  expect(await listed(subscriber, { action: 'diagnostic' })).toEqual([]);
  const [, middle] = await listed(subscriber);
  const at = middle?.created_at ?? '';
  const later = new Date(Date.parse(at) + 1).toISOString();
  expect(idsOf(await listed(subscriber, { since: at, until: later }))).toContain(first);
  expect(idsOf(await listed(subscriber, { until: at }))).toEqual([search]);
  expect(idsOf(await listed(subscriber, { since: later }))).toEqual([second]);
  const offset = at.replace('Z', '+00:00');
  expect(idsOf(await listed(subscriber, { since: offset }))).toEqual([second, first]);
});

test('pages hold each operation once, whatever arrives while they are read', async () => {
  const subscriber = await createSubscriber(stack);
  const ids: number[] = [];
  for (let n = 0; n < 7; n += 1) ids.unshift((await lookUp(subscriber)).body.usage.id);
  const read: number[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await list(subscriber, { limit: '3', ...(cursor && { cursor }) });
    read.push(...idsOf(body.usages));
    sizes.push(body.usages.length);
    cursor = body.next_cursor;
    await lookUp(subscriber);
  }
  expect(read).toEqual(ids);
  expect(sizes).toEqual([3, 3, 1]);
});

test('a cursor is of its account and its filters; the page size may change', async () => {
  const [subscriber, other] = [await createSubscriber(stack), await createSubscriber(stack)];
  for (const who of [subscriber, subscriber, subscriber, other, other]) await lookUp(who);
  const filters = { action: 'company_lookup', since: '2026-01-01T00:00:00Z' };
  const { next_cursor } = (await list(subscriber, { ...filters, limit: '1' })).body;
  const cursor = next_cursor ?? '';
  expect(
    await listed(subscriber, { ...filters, since: '2026-01-01T01:00:00+01:00', limit: '50', cursor }),
  ).toHaveLength(2);
  for (const refused of [
    await list(other, { ...filters, cursor }),
    await list(subscriber, { cursor }),
    await list(subscriber, { ...filters, status: 'delivered', cursor }),
    await list(subscriber, { ...filters, since: '2026-01-02T00:00:00Z', cursor }),
    await list(subscriber, { ...filters, cursor: `${cursor.slice(0, -2)}AA` }),
    await list(subscriber, { ...filters, cursor: 'x' }),
    await list(subscriber, { ...filters, cursor: '' }),
  ])
    expectRefusal(refused, 422, 'invalid_cursor');
  const statement = await subscriber.request('GET', '/api/usage/statement?limit=1');
  expectRefusal(await list(subscriber, { cursor: statement.body.next_cursor ?? '' }), 422, 'invalid_cursor');
});

test('another account sees nothing of it', async () => {
  const [subscriber, other] = [await createSubscriber(stack), await createSubscriber(stack)];
  await lookUp(subscriber);
  expect(await listed(other)).toEqual([]);
  const { token } = await stack.ledgerAdmin.issueCredential({ accountId: subscriber.accountId, label: 'second' });
  expect(await listed(surface(stack.baseUrl, token))).toHaveLength(1);
});

test.each([
  'unknown=1',
  'since=yesterday',
  'since=2026-02-30T00:00:00Z',
  'since=2026-01-01T00:00:00',
  'until=2026-01-01',
  'since=',
  'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
  'since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z',
  'action=search',
  'action=',
  'action=company_search&action=company_lookup',
  'status=done',
  'status=DELIVERED',
  'limit=0',
  'limit=101',
  'limit=01',
  'limit=1.0',
  'limit=',
  'limit=5&limit=5',
  'since[]=2026-01-01T00:00:00Z',
  'cursor=a&cursor=a',
  'account_id=1',
])('?%s is refused as invalid_request', async (query) => {
  const subscriber = await createSubscriber(stack);
  expectRefusal(await subscriber.request('GET', `/api/usages?${query}`), 422, 'invalid_request');
});

test('401 and 402 as everywhere, and a credential needs the scope `usage`', async () => {
  expectRefusal(await list(surface(stack.baseUrl, 'ces_live_nobody')), 401, 'invalid_api_key');
  expectRefusal(await list(await createSubscriber(stack, { status: 'canceled' })), 402, 'subscription_required');
  const { accountId } = await createSubscriber(stack);
  const { token } = await stack.ledgerAdmin.issueCredential({ accountId, label: 'x', scopes: ['search', 'lookup'] });
  expectRefusal(await list(surface(stack.baseUrl, token)), 401, 'invalid_api_key');
});

test('a caller over gRPC with a bearer gets the same', async () => {
  const subscriber = await createSubscriber(stack);
  const { usage } = (await lookUp(subscriber)).body;
  const operations = createRpcClient(OperationsService, {
    url: stack.environmentOf('admin').CES_OPERATIONS_URL ?? '',
    callerToken: undefined,
    timeoutMs: 10_000,
  });
  const caller = { identity: { case: 'bearer', value: subscriber.token } } as const;
  const page = await operations.listUsages({ caller, action: Action.COMPANY_LOOKUP, status: Status.DELIVERED });
  expect(page.usages.map((one) => Number(one.usage?.id))).toEqual([usage.id]);
  for (const refused of [
    { limit: 0 },
    { limit: 101 },
    { since: 'x' },
    { action: 9 as Action },
    { status: 9 as Status },
  ]) {
    const error: unknown = await operations.listUsages({ caller, ...refused }).catch((thrown: unknown) => thrown);
    expect(failureOf(error)?.code).toBe(FailureCode.INVALID_REQUEST);
  }
});
