import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  anything,
  companySearch,
  hostname,
  instant,
  mostly,
  observationLookup,
  observationSearch,
  pathId,
  queryString,
} from '../support/contract/arbitrary.ts';
import { type BodyName, bodyFault } from '../support/contract/bodies.ts';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { type Document, expectDocumented, readDocument } from '../support/contract/documented.ts';
import { FUZZ_STACK, fuzz, wealthySubscriber } from '../support/contract/fuzz.ts';
import { type HostileRequest, hostileGet, hostilePost, send } from '../support/contract/hostile-request.ts';
import { expectBody } from '../support/contract/interface.ts';
import { Meter } from '../support/contract/meter.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import type { Answer, Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let subscriber: Subscriber;
let document: Document;

beforeAll(async () => {
  stack = await startTestStack(FUZZ_STACK);
  await recordCatalogue(stack);
  subscriber = await wealthySubscriber(stack);
  document = await readDocument(stack.baseUrl);
});
afterAll(() => stack[Symbol.asyncDispose]());

const RESULTS = [
  ...(['CompanyResult', 'ObservationResult', 'DiagnosticResult'] as const),
  ...(['CompanyLookupResult', 'ObservationLookupResult'] as const),
];

/** The answer must match exactly one of the hand-written, closed schemas. */
function expectClosed(answer: Answer, results: readonly BodyName[]): void {
  if (answer.status !== 200) {
    expectBody(answer, answer.status, answer.status === 202 ? 'Pending' : 'Error');
    return;
  }
  const matching = results.filter((name) => bodyFault(answer.body, name) === undefined);
  expect(matching, JSON.stringify(answer.body)).toHaveLength(1);
}

// Separate request keys: both paths are one action, so that a shared key would replay the other's
// operation.
const numbered = (path: string) =>
  hostileGet(
    `${path}/{id}`,
    pathId.map((id) => `${path}/${id}`),
  );
const queried = (path: string, ...queries: fc.Arbitrary<string>[]) =>
  hostileGet(
    path,
    fc.oneof(...queries).map((query) => `${path}${query}`),
  );
const lookedUp = fc
  .tuple(queryString({ 'domains[]': hostname, limit: fc.integer({ min: 1, max: 101 }) }), instant)
  .map(([query, since]) => `${query}${query ? '&' : '?'}since=${encodeURIComponent(since)}`);

const page = { since: instant, until: instant, cursor: anything };
const listed = queryString({
  ...page,
  action: fc.constantFrom('company_search', 'diagnostic', 'search'),
  status: fc.constantFrom('delivered', 'processing', 'failed', ''),
  limit: fc.integer({ min: -1, max: 101 }),
});
const stated = queryString({ ...page, limit: fc.integer({ min: -1, max: 1_001 }) });

test.each<[string, string, readonly BodyName[], fc.Arbitrary<HostileRequest>]>([
  ['POST', '/api/companies/search', ['CompanyResult'], hostilePost('/api/companies/search', companySearch)],
  [
    'POST',
    '/api/observations/search',
    ['ObservationResult'],
    hostilePost('/api/observations/search', observationSearch),
  ],
  ['POST', '/api/usages', ['ObservationResult'], hostilePost('/api/usages', observationSearch)],
  [
    'POST',
    '/api/observations/lookup',
    ['ObservationLookupResult'],
    hostilePost('/api/observations/lookup', observationLookup),
  ],
  ['POST', '/api/diagnostics', ['DiagnosticResult'], hostilePost('/api/diagnostics', mostly(fc.constant({})))],
  ['GET', '/api/usages/{id}', RESULTS, numbered('/api/usages')],
  ['GET', '/api/companies/{id}', ['CompanyDetail'], numbered('/api/companies')],
  [
    'GET',
    '/api/companies',
    ['CompanyLookupResult'],
    queried('/api/companies', queryString({ 'ids[]': pathId }), queryString({ 'domains[]': hostname })),
  ],
  ['GET', '/api/observations', ['ObservationLookupResult'], queried('/api/observations', lookedUp)],
  ['GET', '/api/observations/{id}', ['ObservationDetail'], numbered('/api/observations')],
  ['GET', '/api/usages', ['UsageList'], queried('/api/usages', listed)],
  ['GET', '/api/usage/statement', ['UsageStatement'], queried('/api/usage/statement', stated)],
  ['GET', '/api/usage', ['UsageReport'], queried('/api/usage', fc.constant(''), queryString({ more: anything }))],
])(
  '%s %s: whatever the input is, the answer is documented and closed, and a refusal costs nothing',
  { timeout: 3_600_000 },
  async (method, path, results, requests) => {
    const meter = new Meter(stack, subscriber);
    await meter.ready();
    const statuses = await fuzz(`${method} ${path}`, requests, async (request) => {
      const answer = await send(stack.baseUrl, subscriber.token, method, request);
      expectDocumented(document, method, path, answer);
      expectClosed(answer, results);
      expect(answer.body.error?.code).not.toBe('search_failed');
      if (isOwnOperation(path, answer)) meter.count(answer);
      return `${answer.status}`;
    });
    console.log(`${method} ${path}`, statuses, await meter.expectEven());
  },
);

const SHOWS_OTHERS = ['/api/usages/{id}', '/api/usages', '/api/usage', '/api/usage/statement'];

/** A poll and a list show other calls' operations, and a report sums the units of all. */
function isOwnOperation(path: string, { status }: Answer): boolean {
  return status !== 200 || !SHOWS_OTHERS.includes(path);
}

test('nothing of it was lost or charged twice: ledger and counters agree', async () => {
  const { differences } = await stack.ledgerAdmin.verifyLedger({});
  expect(differences).toEqual([]);
});
