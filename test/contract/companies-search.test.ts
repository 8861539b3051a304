import { randomUUID } from 'node:crypto';
import { afterAll, assert, beforeAll, expect, test } from 'vitest';
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
  subscriber = await createSubscriber(stack, { plan: 'builder', limits: { windowRequestUnits: 500n } });
});
afterAll(() => stack[Symbol.asyncDispose]());

const query = 'refrigerated warehouse';

async function find(body: Record<string, unknown>) {
  const answer = await subscriber.search({ query, ...body });
  expectBody(answer, 200, 'CompanyResult');
  return answer.body;
}

async function companiesOf(filters: Record<string, unknown>, words = query): Promise<string[]> {
  const { companies } = await find({ query: words, filters });
  return companies.map(({ name }) => name).toSorted();
}

const MAPLE = 'Maple Cold Storage Ltd';
const PRAIRIE = 'Prairie Rail Works';
const HARBOUR = 'Harbour Glass Inc';
const QUIET = 'Quiet Foundry';

test('a finished search is 200 with CompanyResult', async () => {
  const body = await find({ limit: 5 });
  expect(body).toMatchObject({
    usage: { status: 'delivered', request_units: 1 },
    coverage_status: 'partial',
    delivery_unit: 'company',
    ranking: 'query_relevance_baseline',
    candidate_limit: 100,
    withheld_units: 0,
    next_cursor: null,
    coverage: { requested_companies: 5, target_companies: 5, stop_reason: expect.any(String) },
  });
  expect(body.coverage.returned_companies).toBe(body.companies.length);
  expect(body.coverage.limitations).toContain('limited_source_coverage');
  expect(body.usage.delivered_units).toBe(body.companies.length);
});

test('each company carries at most three supporting observations, its match names them in order', async () => {
  const { companies } = await find({ filters: { domains: ['maple.example'] } });
  expect(companies).toHaveLength(1);
  const [company] = companies;
  assert(company);
  expect(company.id).toBe(recorded.companies.maple);
  expect(company.observations).toHaveLength(3);
  expect(company.match).toEqual({
    query,
    observation_ids: company.observations.map(({ id }) => id),
  });
  expect(company).toMatchObject({ demand_class: 'proxy', limitations: ['limited_source_coverage'] });
  expect(company.why_it_may_matter).toBe(company.observations[0]?.why_it_may_matter);
  expect(company.observations[0]).not.toHaveProperty('company');
});

test('the domains returned are those supported by the returned observations; sources lose a leading www', async () => {
  const { companies } = await find({ filters: { company_ids: [recorded.companies.maple] } });
  const hostnames = companies[0]?.domains.map(({ hostname }) => hostname);
  expect(hostnames).toEqual(['maple.example', 'shop.maple.example']);
});

test('match.query is the query as normalised', async () => {
  const { companies } = await find({ query: '  refrigerated \n  warehouse ', limit: 1 });
  expect(companies[0]?.match.query).toBe('refrigerated warehouse');
});

test('activity searches default to 30 days ago at 00:00 UTC, and an earlier value widens the window', async () => {
  const cutoff = new Date();
  cutoff.setUTCHours(0, 0, 0, 0);
  cutoff.setUTCDate(cutoff.getUTCDate() - 30);
  const body = await find({});
  expect(body.coverage.occurred_after).toBe(cutoff.toISOString());
  expect(await companiesOf({})).not.toContain(QUIET);
  expect(await companiesOf({ occurred_after: '2020-01-01T00:00:00Z' })).toContain(QUIET);
});

test('an empty result never broadens the window silently', async () => {
  expect(await companiesOf({ company_ids: [recorded.companies.quiet] })).toEqual([]);
});

test('structural searches have no implicit cutoff; an explicit one excludes undated profiles', async () => {
  const profiles = await find({ query: 'laminated glass', filters: { kinds: ['company_profile'] } });
  expect(profiles.coverage.occurred_after).toBeNull();
  expect(profiles.companies).toMatchObject([{ name: HARBOUR, demand_class: 'structural' }]);
  const explicit = { kinds: ['company_profile'], occurred_after: '2020-01-01T00:00:00Z' };
  const none = await find({ query: 'laminated glass', filters: explicit });
  expect(none.companies).toEqual([]);
  expect(none.coverage.occurred_after).toBe('2020-01-01T00:00:00.000Z');
});

test('profiles take part only when kinds or demand_classes name them', async () => {
  const kindsOf = async (filters: Record<string, unknown>) => {
    const { companies } = await find({ query: 'laminated display glass', filters });
    const found = companies.flatMap(({ observations }: { observations: { kind: string }[] }) => observations);
    return new Set(found.map(({ kind }) => kind));
  };
  expect(await kindsOf({})).not.toContain('company_profile');
  expect(await kindsOf({ demand_classes: ['structural'] })).toEqual(new Set(['company_profile']));
  expect(await kindsOf({ demand_classes: ['structural', 'proxy'] })).toContain('company_profile');
});

test('values within one field combine as OR, separate fields as AND', async () => {
  const both = { kinds: ['facility_expansion', 'procurement_request'] };
  expect(await companiesOf(both, 'refrigerated')).toEqual([MAPLE, PRAIRIE]);
  expect(await companiesOf({ ...both, demand_classes: ['explicit_request'] }, 'refrigerated')).toEqual([PRAIRIE]);
  expect(await companiesOf({ kinds: ['facility_expansion'], countries: ['US'] }, 'refrigerated')).toEqual([]);
  expect(await companiesOf({ countries: ['US'] }, 'tempered glass')).toEqual([HARBOUR]);
});

test('exclusions win over inclusions, and an empty list does not restrict', async () => {
  const { maple, prairie } = recorded.companies;
  expect(await companiesOf({ company_ids: [maple, prairie] }, 'refrigerated')).toEqual([MAPLE, PRAIRIE]);
  expect(await companiesOf({ company_ids: [maple, prairie], exclude_company_ids: [maple] }, 'refrigerated')).toEqual([
    PRAIRIE,
  ]);
  expect(await companiesOf({ exclude_domains: ['prairie.example'] }, 'refrigerated')).toEqual([MAPLE]);
  const empty = { countries: [], kinds: [], demand_classes: [], company_ids: [], domains: [], exclude_domains: [] };
  expect(await companiesOf(empty, 'refrigerated')).toEqual([MAPLE, PRAIRIE]);
});

test('domain matching normalises case, white space and a trailing dot, not subdomains, not www', async () => {
  expect(await companiesOf({ domains: ['  MAPLE.example. '] })).toEqual([MAPLE]);
  expect(await companiesOf({ domains: ['shop.maple.example'] })).toEqual([MAPLE]);
  expect(await companiesOf({ domains: ['dock.maple.example'] })).toEqual([]);
  expect(await companiesOf({ domains: ['www.maple.example'] })).toEqual([]);
});

test('unknown ids and domains yield no matches and no invented records', async () => {
  expect(await companiesOf({ company_ids: [9_007_199_254_740_991] })).toEqual([]);
  expect(await companiesOf({ domains: ['nobody.example'] })).toEqual([]);
});

test('observed_after is a collection-date cutoff', async () => {
  expect(await companiesOf({ observed_after: new Date(Date.now() - 2 * 86_400_000).toISOString() })).toContain(MAPLE);
  expect(await companiesOf({ observed_after: new Date(Date.now() + 86_400_000).toISOString() })).toEqual([]);
});

test('background true gives 202 with the Pending body, and where to poll', async () => {
  const answer = await subscriber.search({ query, background: true });
  expectBody(answer, 202, 'Pending');
  expect(answer.body.usage).toMatchObject({ request_units: 0, delivered_units: 0, fresh_evidence_units: 0 });
  expect(answer.headers.get('location')).toBe(`/api/usages/${answer.body.usage.id}`);
  expect(answer.headers.get('retry-after')).toBe('2');
});

test('candidate_limit is max(100, 2 x target)', async () => {
  expect((await find({ target: 20, limit: 5 })).candidate_limit).toBe(100);
  expect((await find({ target: 400, limit: 5 })).candidate_limit).toBe(800);
  expect((await find({ target: 1000, limit: 5 })).candidate_limit).toBe(2000);
});

test('limit defaults to 10, or target if that is smaller', async () => {
  expect((await find({})).coverage).toMatchObject({ requested_companies: 10, target_companies: 10 });
  expect((await find({ target: 3 })).coverage).toMatchObject({ requested_companies: 3, target_companies: 3 });
});

test('the page maximum follows the plan: builder 25, professional 50', async () => {
  const professional = await createSubscriber(stack);
  expect((await find({ limit: 25 })).coverage.requested_companies).toBe(25);
  expectRefusal(await subscriber.search({ query, limit: 26 }), 422, 'invalid_search');
  expectBody(await professional.search({ query, limit: 50 }), 200, 'CompanyResult');
  expectRefusal(await professional.search({ query, limit: 51 }), 422, 'invalid_search');
});

test.each<[string, Record<string, unknown>]>([
  ['a blank query', { query: '  \n ' }],
  ['a query of 4001 characters', { query: 'x'.repeat(4001) }],
  ['a limit above the target', { limit: 6, target: 5 }],
  ['a background that is no boolean', { background: 'yes' }],
  ['a timestamp without offset', { filters: { occurred_after: '2026-01-01T00:00:00' } }],
  ['a timestamp that is no instant', { filters: { observed_after: '2026-02-30T00:00:00Z' } }],
  ['a date', { filters: { occurred_after: '2026-01-01' } }],
  ['a URL for a domain', { filters: { domains: ['https://maple.example/'] } }],
  ['an e-mail address for a domain', { filters: { exclude_domains: ['a@maple.example'] } }],
  ['a domain with an empty label', { filters: { domains: ['maple..example'] } }],
])('%s is invalid_search, spends nothing and leaves the key free', async (_name, body) => {
  const key = randomUUID();
  const before = (await subscriber.report()).body.usage;
  expectRefusal(await subscriber.search({ query, ...body }, key), 422, 'invalid_search');
  expect((await subscriber.report()).body.usage).toEqual(before);
  const retry = await subscriber.search({ query, limit: 1 }, key);
  expectBody(retry, 200, 'CompanyResult');
  expect(retry.headers.get('idempotent-replayed')).toBeNull();
});

test.each([
  ['one word', `  ${'x'.repeat(4000)}  `],
  ['many words', Array.from({ length: 1000 }, (_, n) => n.toString(36).padStart(3, 'q')).join(' ')],
])('a query of 4000 characters in %s is taken, white space around it does not count', async (_name, long) => {
  expectBody(await subscriber.search({ query: long }), 200, 'CompanyResult');
});

test('an unusable cursor is invalid_cursor', async () => {
  for (const cursor of ['', 'x', 'a'.repeat(2000)])
    expectRefusal(await subscriber.search({ query, cursor }), 422, 'invalid_cursor');
});

test('search that could not be prepared replays planning_unavailable for the same key', async () => {
  const sandbox = await createSubscriber(stack, { plan: 'builder', testMode: true });
  const key = randomUUID();
  for (const replayed of [null, 'true']) {
    const answer = await sandbox.search({ query: 'sandbox:planning_unavailable' }, key);
    expectBody(answer, 422, 'Error');
    expect(answer.body).toMatchObject({
      error: { code: 'planning_unavailable' },
      usage: { status: 'failed', request_units: 0, delivered_units: 0 },
      request_allowance: { window_seconds: 18_000 },
    });
    expect(answer.body.error).not.toHaveProperty('retry_at');
    expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
  }
});
