import { createRpcClient } from '@ces/chassis/rpc/client';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber, surface } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ env: { CES_ACCOUNT_PAGES_PER_SECOND: '1000' } });
  await recordCatalogue(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

type Parameters = Readonly<Record<string, string>>;

const ask = (who: Pick<Subscriber, 'request'>, parameters: Parameters = {}) =>
  who.request('GET', `/api/usage/statement?${new URLSearchParams(parameters)}`);

async function read(who: Pick<Subscriber, 'request'>, parameters: Parameters = {}): Promise<Answer['body']> {
  const answer = await ask(who, parameters);
  expectBody(answer, 200, 'UsageStatement');
  return answer.body;
}

async function readAll(
  who: Subscriber,
  parameters: Parameters,
  between: () => Promise<unknown> = async () => undefined,
) {
  const pages = [await read(who, parameters)];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor) {
    await between();
    pages.push(await read(who, { ...parameters, cursor }));
  }
  return pages;
}

const lookUp = (who: Subscriber, ...domains: string[]) => who.lookUp({ domains });

function sum(entries: Answer['body']['entries']) {
  const total = (name: 'request_units' | 'delivered_units' | 'fresh_evidence_units') =>
    entries.reduce((units, entry) => units + entry[name], 0);
  return {
    request_units: total('request_units'),
    delivered_units: total('delivered_units'),
    fresh_evidence_units: total('fresh_evidence_units'),
  };
}

async function usageOf(who: Subscriber) {
  const { request_units, delivered_units, fresh_evidence_units } = (await who.report()).body
    .usage as Answer['body']['usage'];
  return { request_units, delivered_units, fresh_evidence_units };
}

test('it names each settlement of the current period, oldest first, and adds up to the usage report', async () => {
  const subscriber = await createSubscriber(stack);
  const search = (await subscriber.search({ query: 'refrigerated warehouse' })).body;
  const look = (await lookUp(subscriber, 'maple.example', 'nowhere.example')).body;
  await subscriber.request('POST', '/api/diagnostics', { key: 'free' });
  const statement = await read(subscriber);
  expect(
    statement.entries.map(({ usage_id, request_key, action, kind }) => [usage_id, request_key, action, kind]),
  ).toEqual([
    [search.usage.id, search.usage.request_key, 'company_search', 'settlement'],
    [look.usage.id, look.usage.request_key, 'company_lookup', 'settlement'],
  ]);
  expect(statement.entries.map(({ delivered_units }) => delivered_units)).toEqual([
    search.usage.delivered_units,
    look.usage.delivered_units,
  ]);
  expect(sum(statement.entries)).toEqual(statement.totals);
  expect(statement.totals).toEqual(await usageOf(subscriber));
  const { subscription } = (await subscriber.report()).body;
  expect(statement.subscription).toEqual(subscription);
  expect(statement.since).toBe(subscription.current_period_start);
  expect(statement.as_of <= statement.until).toBe(true);
});

test('a reversal follows its settlement with negative units and a reason, and the sums match the report', async () => {
  const subscriber = await createSubscriber(stack);
  const kept = (await lookUp(subscriber, 'maple.example')).body.usage;
  const undone = (await lookUp(subscriber, 'maple.example', 'prairie.example')).body.usage;
  await reverse(undone.id, 'Lost in a restore');
  const statement = await read(subscriber);
  expect(
    statement.entries.map(({ usage_id, kind, reason, delivered_units }) => [usage_id, kind, reason, delivered_units]),
  ).toEqual([
    [kept.id, 'settlement', null, 1],
    [undone.id, 'settlement', null, 2],
    [undone.id, 'reversal', 'Lost in a restore', -2],
  ]);
  expect(statement.totals).toEqual({ request_units: 1, delivered_units: 1, fresh_evidence_units: 0 });
  expect(statement.totals).toEqual(await usageOf(subscriber));
});

test('pages of any size are as of the first and add up to its totals, while calls settle and are reversed', async () => {
  for (const limit of ['1', '2', '4']) {
    const subscriber = await createSubscriber(stack);
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) ids.push((await lookUp(subscriber, 'maple.example')).body.usage.id);
    await reverse(ids[2], 'Lost');
    const report = await usageOf(subscriber);
    const pages = await readAll(subscriber, { limit }, async () => {
      await lookUp(subscriber, 'prairie.example');
      await reverse(ids[4], 'Lost too');
    });
    const entries = pages.flatMap((page) => page.entries);
    expect(entries.map(({ usage_id }) => usage_id)).toEqual([...ids.slice(0, 3), ids[2], ...ids.slice(3)]);
    for (const page of pages) {
      expect(page.totals).toEqual(report);
      expect([page.since, page.until, page.as_of]).toEqual([pages[0]?.since, pages[0]?.until, pages[0]?.as_of]);
    }
    expect(sum(entries)).toEqual(report);
    expect((await read(subscriber)).totals).toEqual(await usageOf(subscriber));
  }
});

test('it keeps up to the unit with calls that settle at the same time', async () => {
  const subscriber = await createSubscriber(stack);
  const calls = Array.from({ length: 24 }, () => lookUp(subscriber, 'maple.example'));
  const during = await Promise.all(Array.from({ length: 4 }, () => readAll(subscriber, { limit: '3' })));
  await Promise.all(calls);
  for (const pages of during) expect(sum(pages.flatMap(({ entries }) => entries))).toEqual(pages[0]?.totals);
  const after = await read(subscriber);
  expect(after.totals).toEqual(await usageOf(subscriber));
  expect(after.totals.request_units).toBe(24);
});

test('`since` is inclusive and `until` exclusive, and an interval without settlements is empty', async () => {
  const subscriber = await createSubscriber(stack);
  for (let n = 0; n < 3; n += 1) await lookUp(subscriber, 'maple.example');
  const whole = await read(subscriber);
  const [first, second] = whole.entries;
  const after = new Date(Date.parse(second?.settled_at ?? '') + 1).toISOString();
  const part = await read(subscriber, { since: second?.settled_at ?? '', until: after });
  expect(part.entries).toContainEqual(second);
  expect(part.entries).not.toContainEqual(first);
  expect(sum(part.entries)).toEqual(part.totals);
  expect(part).toMatchObject({ since: second?.settled_at, until: after });
  const none = await read(subscriber, { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' });
  expect(none).toMatchObject({ entries: [], totals: { request_units: 0, delivered_units: 0 }, next_cursor: null });
  const again = await read(subscriber, { since: whole.since, until: whole.until });
  expect(again.totals).toEqual(whole.totals);
});

test('another account has a statement of its own', async () => {
  const [subscriber, other] = [await createSubscriber(stack), await createSubscriber(stack)];
  await lookUp(subscriber, 'maple.example');
  expect((await read(other)).entries).toEqual([]);
  const { token } = await stack.ledgerAdmin.issueCredential({ accountId: subscriber.accountId, label: 'second' });
  expect((await read(surface(stack.baseUrl, token))).entries).toHaveLength(1);
});

test('a cursor is of its account and interval', async () => {
  const [subscriber, other] = [await createSubscriber(stack), await createSubscriber(stack)];
  for (const who of [subscriber, subscriber, other, other]) await lookUp(who, 'maple.example');
  const cursor = (await read(subscriber, { limit: '1' })).next_cursor ?? '';
  for (const refused of [
    await ask(other, { cursor }),
    await ask(subscriber, { since: '2026-01-01T00:00:00Z', cursor }),
    await ask(subscriber, { cursor: cursor.slice(1) }),
    await ask(subscriber, { cursor: '' }),
    await subscriber.request('GET', `/api/usages?cursor=${cursor}`),
  ])
    expectRefusal(refused, 422, 'invalid_cursor');
});

test.each([
  ['unknown=1', 'not a query parameter'],
  ['action=company_search', 'not a query parameter'],
  ['since=yesterday', 'is not a timestamp'],
  ['until=2026-01-01', 'is not a timestamp'],
  ['since=2026-01-02T00:00:00Z&since=2026-01-02T00:00:00Z', 'more than once'],
  ['since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'must be before `until`'],
  ['since=2126-01-01T00:00:00Z', 'must be before `until`'],
  ['until=2026-01-01T00:00:00Z', 'must be before `until`'],
  ['since=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z', 'Settlements are kept since'],
  ['since=0001-01-01T00:00:00Z', 'Settlements are kept since'],
  ['limit=0', '1 to 1000'],
  ['limit=1001', '1 to 1000'],
  ['limit=99999999999999999999', '1 to 1000'],
])('?%s is refused in a sentence', async (query, said) => {
  const subscriber = await createSubscriber(stack);
  const refused = await subscriber.request('GET', `/api/usage/statement?${query}`);
  expectRefusal(refused, 422, 'invalid_request');
  expect(refused.body.error.message).toContain(said);
});

test('401 and 402 as everywhere, and a credential needs the scope `usage`', async () => {
  expectRefusal(await ask(surface(stack.baseUrl, 'ces_live_nobody')), 401, 'invalid_api_key');
  expectRefusal(await ask(await createSubscriber(stack, { status: 'canceled' })), 402, 'subscription_required');
  const { accountId } = await createSubscriber(stack);
  const { token } = await stack.ledgerAdmin.issueCredential({ accountId, label: 'x', scopes: ['search', 'lookup'] });
  expectRefusal(await ask(surface(stack.baseUrl, token)), 401, 'invalid_api_key');
});

test('a caller over gRPC with a bearer gets the same', async () => {
  const subscriber = await createSubscriber(stack);
  const { usage } = (await lookUp(subscriber, 'maple.example')).body;
  const operations = createRpcClient(OperationsService, {
    url: stack.environmentOf('admin').CES_OPERATIONS_URL ?? '',
    callerToken: undefined,
    timeoutMs: 10_000,
  });
  const caller = { identity: { case: 'bearer', value: subscriber.token } } as const;
  const page = await operations.getUsageStatement({ caller });
  expect(page.entries.map((entry) => [Number(entry.operationId), entry.requestKey])).toEqual([
    [usage.id, usage.request_key],
  ]);
  expect(page.totals).toMatchObject({ requestUnits: 1n, deliveredUnits: 1n });
});

/** Identities of reversed operations: ListEntries no longer returns their entries. */
const identities = new Map<bigint, string>();

async function reverse(id: number | undefined, reason: string): Promise<void> {
  const operationId = BigInt(id ?? 0);
  const { entries } = await stack.ledger.listEntries({ operationIds: [operationId] });
  const operationIdentity = entries[0]?.operationIdentity ?? identities.get(operationId) ?? '';
  identities.set(operationId, operationIdentity);
  await stack.ledger.reverse({ operationId, operationIdentity, reason });
}
