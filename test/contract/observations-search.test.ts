import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import type { Recorded } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let recorded: Recorded;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack();
  recorded = await recordCatalogue(stack);
  subscriber = await createSubscriber(stack, { plan: 'builder' });
});
afterAll(() => stack[Symbol.asyncDispose]());

const search = (json: Record<string, unknown>, key: string = randomUUID()) =>
  subscriber.request('POST', '/api/observations/search', { key, json });
const queue = (json: Record<string, unknown>, key: string = randomUUID()) =>
  subscriber.request('POST', '/api/usages', { key, json });

async function keysOf(json: Record<string, unknown>): Promise<string[]> {
  const answer = await search({ limit: 25, ...json });
  expectBody(answer, 200, 'ObservationResult');
  const keys = Object.fromEntries(Object.entries(recorded.observations).map(([key, id]) => [id, key]));
  return answer.body.observations.map(({ id }) => keys[id] ?? '').toSorted();
}

function newestFirst([a, aId]: [string, number], [b, bId]: [string, number]): number {
  return b.localeCompare(a) || bId - aId;
}

const WAREHOUSES = ['old-warehouse', 'warehouse', 'warehouse-2', 'warehouse-3', 'warehouse-4'];

test('200 with ObservationResult: individual observations, newest observed first, no implicit window', async () => {
  const answer = await search({ query: 'warehouse' });
  expectBody(answer, 200, 'ObservationResult');
  expect(answer.body).toMatchObject({ retrieval: 'lexical', delivery_unit: 'company', next_cursor: null });
  expect(answer.body.observations).toHaveLength(5);
  expect(answer.body.usage).toMatchObject({ request_units: 1, delivered_units: 2 });
  const order = answer.body.observations.map((each): [string, number] => [each.observed_at, each.id]);
  expect(order).toEqual(order.toSorted(newestFirst));
});

test('every term must occur as a whole word, case and accents ignored, in fact, excerpt or company name', async () => {
  expect(await keysOf({ query: 'REFRIGERATED Wàrehouse' })).toEqual(WAREHOUSES);
  expect(await keysOf({ query: 'warehouse lethbridge' })).toEqual(['warehouse-2']);
  expect(await keysOf({ query: 'quiet foundry' })).toEqual(['old-warehouse']);
  expect(await keysOf({ query: 'warehouses' })).toEqual([]);
  expect(await keysOf({ query: 'ware' })).toEqual([]);
});

test('all nine kinds are searched, and filters of country, kind, demand class and time narrow', async () => {
  expect(await keysOf({ query: 'tempered glass' })).toHaveLength(6);
  expect(await keysOf({ query: 'harbour', filters: { kinds: ['job_posting', 'company_profile'] } })).toEqual([
    'job',
    'profile',
  ]);
  expect(await keysOf({ query: 'harbour', filters: { demand_classes: ['structural'] } })).toEqual(['profile']);
  expect(await keysOf({ query: 'warehouse', filters: { countries: ['US'] } })).toEqual([]);
  const recent = new Date(Date.now() - 30 * 86_400_000).toISOString();
  expect(await keysOf({ query: 'warehouse', filters: { occurred_after: recent } })).toEqual(WAREHOUSES.slice(1));
});

test('pages keep query, filters and limit, with a new key per page', async () => {
  const body = { query: 'warehouse', limit: 2 };
  const first = await search(body);
  const second = await search({ ...body, cursor: first.body.next_cursor });
  const third = await search({ ...body, cursor: second.body.next_cursor });
  expect(third.body.next_cursor).toBeNull();
  const ids = [first, second, third].flatMap(({ body: page }) => page.observations.map(({ id }) => id));
  expect(new Set(ids).size).toBe(5);
  expectRefusal(await search({ ...body, limit: 3, cursor: first.body.next_cursor }), 422, 'invalid_cursor');
});

test('POST /api/usages queues the same search: 202, and 200 when it was delivered', async () => {
  const key = randomUUID();
  const queued = await queue({ query: 'warehouse', limit: 3 }, key);
  expectBody(queued, 202, 'Pending');
  expect(queued.headers.get('location')).toBe(`/api/usages/${queued.body.usage.id}`);
  await vi.waitFor(
    async () => expectBody(await queue({ query: 'warehouse', limit: 3 }, key), 200, 'ObservationResult'),
    {
      timeout: 60_000,
      interval: 250,
    },
  );
  const sync = await search({ query: 'warehouse', limit: 3 }, key);
  expect(sync.body.usage.id).toBe(queued.body.usage.id);
  expect(sync.headers.get('idempotent-replayed')).toBe('true');
});

test('deprecated on every status, errors included', async () => {
  const answers = [
    await search({ query: 'warehouse' }),
    await search({}),
    await queue({ query: 'warehouse' }),
    await subscriber.request('POST', '/api/usages', { json: { query: 'x' } }),
    await subscriber.request('POST', '/api/usages', { json: {}, headers: { authorization: 'Bearer x' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 422, 202, 422, 401]);
  for (const { headers } of answers) {
    expect(headers.get('deprecation')).toBe('@1767225600');
    expect(headers.get('link')).toContain('rel="deprecation"');
    expect(headers.get('link')).toContain('</api/companies/search>; rel="successor-version"');
  }
});

test.each<[string, Record<string, unknown>]>([
  ['a blank query', { query: ' ' }],
  ['a query of 501 characters', { query: 'x'.repeat(501) }],
  ['background', { query: 'x', background: false }],
  ['company ids', { query: 'x', filters: { company_ids: [1] } }],
  ['domains', { query: 'x', filters: { domains: ['a.example'] } }],
  ['a limit of zero', { query: 'x', limit: 0 }],
  ["a limit above the plan's", { query: 'x', limit: 26 }],
  ['a kind that is none', { query: 'x', filters: { kinds: ['merger'] } }],
])('%s is invalid_search on both', async (_name, json) => {
  expectRefusal(await search(json), 422, 'invalid_search');
  expectRefusal(await queue(json), 422, 'invalid_search');
});

test('a query of 500 characters is taken', async () => {
  expectBody(await search({ query: 'x'.repeat(500) }), 200, 'ObservationResult');
});
