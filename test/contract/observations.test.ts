import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import { type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let recorded: Recorded;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack();
  recorded = await recordCatalogue(stack);
  subscriber = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

const since = '2020-01-01T00:00:00Z';
const lookUp = (json: Record<string, unknown>, key: string = randomUUID()) =>
  subscriber.request('POST', '/api/observations/lookup', { key, json });
const idsOf = (answer: { body: { observations: { id: number }[] } }) => answer.body.observations.map(({ id }) => id);

test('observations recorded after since for the requested domains, oldest first, with their company', async () => {
  const answer = await lookUp({ domains: ['Maple.example.', 'nobody.example', 'prairie.example'], since });
  expectBody(answer, 200, 'ObservationLookupResult');
  expect(answer.body.domains).toEqual([
    { hostname: 'maple.example', status: 'found' },
    { hostname: 'nobody.example', status: 'not_found' },
    { hostname: 'prairie.example', status: 'found' },
  ]);
  expect(idsOf(answer)).toHaveLength(5);
  expect(idsOf(answer)).toEqual(idsOf(answer).toSorted((a, b) => a - b));
  expect(answer.body.observations).toContainEqual(
    expect.objectContaining({ company: { id: recorded.companies.maple, name: 'Maple Cold Storage Ltd' } }),
  );
  expect(answer.body.usage).toMatchObject({ request_units: 1, delivered_units: 2 });
  expect(answer.body).toMatchObject({ delivery_unit: 'company', next_cursor: null, coverage_status: 'partial' });
});

test('a hostname tied to several companies is found, with the observations of each', async () => {
  const { body } = await lookUp({ domains: ['shared.example'], since });
  const companies = new Set(body.observations.map(({ company }: { company: { id: number } }) => company.id));
  expect(companies).toEqual(new Set([recorded.companies.prairie, recorded.companies.harbour]));
  expect(body.domains).toEqual([{ hostname: 'shared.example', status: 'found' }]);
});

test('GET and POST are one action', async () => {
  const key = randomUUID();
  const posted = await lookUp({ domains: ['maple.example'], since }, key);
  const got = await subscriber.request('GET', `/api/observations?domains[]=maple.example&since=${since}`, { key });
  expectBody(got, 200, 'ObservationLookupResult');
  expect(got.headers.get('idempotent-replayed')).toBe('true');
  expect(got.body.usage).toEqual(posted.body.usage);
});

test('pages follow the cursor, each with a key of its own', async () => {
  const body = { domains: ['maple.example', 'harbour.example'], since, limit: 4 };
  const pages = [await lookUp(body)];
  for (let cursor = pages[0]?.body.next_cursor; cursor !== null; cursor = pages.at(-1)?.body.next_cursor) {
    pages.push(await lookUp({ ...body, cursor }));
    expectBody(pages.at(-1) ?? { status: 0, body: 0 }, 200, 'ObservationLookupResult');
  }
  const ids = pages.flatMap(idsOf);
  expect(pages.map((page) => idsOf(page).length)).toEqual([4, 4, 3]);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  expectRefusal(await lookUp({ ...body, limit: 5, cursor: pages[0]?.body.next_cursor }), 422, 'invalid_cursor');
});

test('the next poll passes the last as_of and sees what came after it, once', async () => {
  const domains = ['maple.example', 'late.example'];
  const first = await lookUp({ domains, since });
  expect(idsOf(await lookUp({ domains, since: first.body.as_of }))).toEqual([]);
  const late = await recordEvidence(
    stack,
    [{ key: 'late', hostnames: ['late.example'] }],
    [{ key: 'late', companyKey: 'late' }],
  );
  await vi.waitFor(
    async () => expect(idsOf(await lookUp({ domains, since: first.body.as_of }))).toEqual([late.observations.late]),
    { timeout: 60_000, interval: 100 },
  );
});

test('a search of nothing new settles one request unit', async () => {
  const { body } = await lookUp({ domains: ['nobody.example'], since });
  expect(body.usage).toMatchObject({ request_units: 1, delivered_units: 0 });
});

test.each<[string, Record<string, unknown>]>([
  ['no domains', { since }],
  ['an empty list', { domains: [], since }],
  ['101 domains', { domains: Array.from({ length: 101 }, (_, n) => `d${n}.example`), since }],
  ['no since', { domains: ['a.example'] }],
  ['a since without offset', { domains: ['a.example'], since: '2026-01-01T00:00:00' }],
  ['a limit of 101', { domains: ['a.example'], since, limit: 101 }],
  ['a URL', { domains: ['https://a.example'], since }],
  ['an unknown field', { domains: ['a.example'], since, kinds: [] }],
])('%s is invalid_search', async (_name, json) => {
  expectRefusal(await lookUp(json), 422, 'invalid_search');
});

test('100 domains and a page of 100 are taken, whatever the plan', async () => {
  const builder = await createSubscriber(stack, { plan: 'builder' });
  const json = { domains: Array.from({ length: 100 }, (_, n) => `d${n}.example`), since, limit: 100 };
  const answer = await builder.request('POST', '/api/observations/lookup', { key: randomUUID(), json });
  expectBody(answer, 200, 'ObservationLookupResult');
  expect(answer.body.domains).toHaveLength(100);
});
