import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { recordCatalogue } from './support/catalogue.ts';
import { expectBody } from './support/interface.ts';

let stack: TestStack;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack({ env: { CES_CREDENTIAL_CALLS_PER_SECOND: '100000', CES_CREDENTIAL_BURST: '100000' } });
  await recordCatalogue(stack);
  const plenty = 1_000_000n;
  const limits = { windowRequestUnits: plenty, weekRequestUnits: plenty, periodRequestUnits: plenty };
  const delivered = { windowDeliveredUnits: plenty, weekDeliveredUnits: plenty, periodDeliveredUnits: plenty };
  subscriber = await createSubscriber(stack, { limits: { ...limits, ...delivered } });
});
afterAll(() => stack[Symbol.asyncDispose]());

/** Mostly what a field takes, sometimes near it, sometimes far from it. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '"glass', '-', '"" -""', '\u0000', "'; drop table", '%', '\\', 'x'.repeat(300)),
);
const number = fc.oneof(fc.integer({ min: -1, max: 60 }), fc.maxSafeInteger(), fc.double());
const anything = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }));
const mostly = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 40, arbitrary: good }, { weight: 1, arbitrary: anything });
const list = (item: fc.Arbitrary<unknown>) => mostly(fc.array(mostly(item), { maxLength: 3 }));
const oneOf = (...values: unknown[]) => fc.constantFrom(...values);

const words = fc.oneof(
  oneOf('refrigerated warehouse', '"tempered glass" -rail', 'cold storage in Canada since 2023'),
  text.filter((value) => value.trim() !== '' && value.isWellFormed() && !value.includes('\0')),
);
const instant = oneOf(
  '2020-01-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59+14:00',
);
const domain = oneOf(
  'maple.example',
  ' SHARED.example. ',
  'bücher.example',
  'a-b.example',
  'xn--',
  '..',
  'http://x.example',
);
const ids = list(fc.integer({ min: 1, max: 9 }));

/** An object with some of the fields, rarely with one more. */
const record = (fields: Record<string, fc.Arbitrary<unknown>>, ...required: string[]) =>
  fc.oneof(
    { weight: 40, arbitrary: fc.record(fields, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record({ ...fields, more: anything }, { requiredKeys: [] }) },
  );
const evidenceFilters = {
  countries: list(oneOf('CA', 'US')),
  kinds: list(oneOf('company_profile', 'procurement_request', 'facility_expansion')),
  demand_classes: list(oneOf('explicit_request', 'proxy', 'structural')),
  occurred_after: mostly(instant),
  observed_after: mostly(instant),
};
const companyFilters = {
  company_ids: ids,
  domains: list(domain),
  exclude_company_ids: ids,
  exclude_domains: list(domain),
};
const page = { limit: mostly(fc.integer({ min: 1, max: 12 })) };
const target = { target: mostly(fc.integer({ min: 12, max: 40 })), background: mostly(fc.boolean()) };
const observationSearch = record({ query: mostly(words), filters: mostly(record(evidenceFilters)), ...page }, 'query');
const lookup = record({ domains: list(domain), since: mostly(instant), ...page }, 'domains', 'since');
const companySearch = fc.oneof(
  ...[{}, companyFilters].map((more) =>
    record(
      { query: mostly(words), filters: mostly(record({ ...evidenceFilters, ...more })), ...page, ...target },
      'query',
    ),
  ),
  record({ query: mostly(words), cursor: text }, 'query', 'cursor'),
);

const DOCUMENTED = {
  200: [
    'CompanyResult',
    'ObservationResult',
    'DiagnosticResult',
    'CompanyLookupResult',
    'ObservationLookupResult',
    'CompanyDetail',
  ],
  202: ['Pending'],
} as const;

/** An answer is documented: its status, and a closed body of the interface; a refusal spent nothing and stored nothing. */
function expectDocumented(answer: Answer): void {
  expect([200, 202, 404, 422], JSON.stringify(answer.body)).toContain(answer.status);
  if (answer.status >= 400) {
    expectBody(answer, answer.status, 'Error');
    expect(answer.body.error.code).not.toBe('search_failed');
    return;
  }
  const names = DOCUMENTED[answer.status as keyof typeof DOCUMENTED];
  const matching = names.filter((name) => {
    try {
      expectBody(answer, answer.status, name);
      return true;
    } catch {
      return false;
    }
  });
  expect(matching, JSON.stringify(answer.body)).toHaveLength(1);
}

const RUNS = Number(process.env.CES_FUZZ_RUNS ?? 60);

test.each<[string, fc.Arbitrary<unknown>]>([
  ['/api/companies/search', companySearch],
  ['/api/observations/search', observationSearch],
  ['/api/usages', observationSearch],
  ['/api/observations/lookup', lookup],
  ['/api/diagnostics', fc.oneof(fc.constant({}), anything)],
])('POST %s: whatever is sent, the answer is documented and closed', async (path, arbitrary) => {
  await fc.assert(
    fc.asyncProperty(mostly(arbitrary), async (json) => {
      expectDocumented(await subscriber.request('POST', path, { key: randomUUID(), json }));
    }),
    { numRuns: RUNS },
  );
});

const id = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map(String),
  fc
    .oneof(
      text.filter((value) => value.isWellFormed()),
      number.map(String),
    )
    .map(encodeURIComponent),
);
const parameter = (name: string, value: fc.Arbitrary<unknown>) =>
  fc.tuple(
    fc.constant(name),
    fc.oneof(
      value.map((each) => encodeURIComponent(String(each))),
      id,
    ),
  );
const query = (path: string, ...parameters: fc.Arbitrary<[string, string]>[]) =>
  fc
    .array(fc.oneof(...parameters), { maxLength: 4 })
    .map((pairs) => `${path}?${pairs.map((pair) => pair.join('=')).join('&')}`);

test.each<[string, fc.Arbitrary<string>]>([
  ['GET /api/companies/{id}', id.map((each) => `/api/companies/${each || 0}`)],
  ['GET /api/usages/{id}', id.map((each) => `/api/usages/${each || 0}`)],
  ['GET /api/companies by id', query('/api/companies', parameter('ids[]', id))],
  ['GET /api/companies by domain', query('/api/companies', parameter('domains[]', domain))],
  [
    'GET /api/observations',
    query('/api/observations', parameter('domains[]', domain), parameter('limit', id)).map(
      (path) => `${path}&since=2020-01-01T00:00:00Z`,
    ),
  ],
])('%s: whatever is asked, the answer is documented and closed', async (_name, arbitrary) => {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (path) => {
      expectDocumented(await subscriber.request('GET', path, { key: randomUUID() }));
    }),
    { numRuns: RUNS },
  );
});

test('nothing of it was lost or charged twice: ledger and counters agree', async () => {
  const { differences } = await stack.ledgerAdmin.verifyLedger({});
  expect(differences).toEqual([]);
});
