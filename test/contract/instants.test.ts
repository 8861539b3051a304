import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody } from '../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack();
  await recordCatalogue(stack);
  subscriber = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

const post = (path: string, json: unknown) => subscriber.request('POST', path, { key: randomUUID(), json });
const get = (path: string) => subscriber.request('GET', path, { key: randomUUID() });

/** The latest timestamp: rounding it to milliseconds would give the year 10000. */
const LAST = '9999-12-31T23:59:59.9999999Z';
const SHOWN = '9999-12-31T23:59:59.999Z';
const FIRST = '0001-01-01T00:00:00.0009999Z';
const DATE_TIME = /"(\+|-)?\d{4,6}-\d\d-\d\dT[^"]*"/g;

test.each([
  [
    'occurred_after of a company search',
    'CompanyResult',
    () => post('/api/companies/search', { query: 'warehouse', filters: { occurred_after: LAST } }),
  ],
  [
    'occurred_after of an observation search',
    'ObservationResult',
    () =>
      post('/api/observations/search', { query: 'warehouse', filters: { occurred_after: LAST, observed_after: LAST } }),
  ],
  [
    'since of an observation look-up',
    'ObservationLookupResult',
    () => get(`/api/observations?domains[]=maple.example&since=${LAST}`),
  ],
  ['since of the list of usages', 'UsageList', () => get(`/api/usages?since=${LAST}`)],
  ['until of the list of usages', 'UsageList', () => get(`/api/usages?since=${FIRST}&until=${LAST}`)],
  ['until of the statement', 'UsageStatement', () => get(`/api/usage/statement?until=${LAST}`)],
] as const)(
  'the last instant as %s is answered, and every instant in the answer has four digits of a year',
  async (_name, schema, ask) => {
    const answer = await ask();
    expectBody(answer, 200, schema);
    const instants = JSON.stringify(answer.body).match(DATE_TIME) ?? [];
    expect(instants.length).toBeGreaterThan(0);
    for (const instant of instants) expect(instant).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/);
  },
);

test('the cutoff of a search is shown to the millisecond, cut and not rounded', async () => {
  const shownFor = async (occurredAfter: string) =>
    (await post('/api/companies/search', { query: 'warehouse', filters: { occurred_after: occurredAfter } })).body
      .coverage.occurred_after;
  expect(await shownFor(LAST)).toBe(SHOWN);
  expect(await shownFor('2026-01-31T00:00:00.0009999+01:00')).toBe('2026-01-30T23:00:00.000Z');
  expect(await shownFor(FIRST)).toBe('0001-01-01T00:00:00.000Z');
});
