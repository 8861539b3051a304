import { CesClient, CesError, type SearchPage, type StatementEntry } from '@ces/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type SubscriberOptions } from '../support/subscriber.ts';

let stack: TestStack;
let recorded: Recorded;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(8, 'battery plant');
  recorded = await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

const query = 'battery plant';

async function createClient(options: SubscriberOptions = {}) {
  const subscriber = await createSubscriber(stack, { plan: 'builder', ...options });
  return { subscriber, ces: new CesClient({ baseUrl: stack.baseUrl, apiKey: subscriber.token }) };
}

test('a search knows its key before it is sent and its units afterwards', async () => {
  const { ces } = await createClient();
  const search = ces.searchCompanies({ query, limit: 3 });
  expect(search.requestKey).toMatch(/^[0-9a-f-]{36}$/);
  const page = await search.done();
  expect(page.companies).toHaveLength(3);
  expect(page.usage.request_key).toBe(search.requestKey);
  expect(search.units).toEqual({ request: 1, delivered: 3, fresh: 0 });
  expect(search.usageId).toBe(page.usage.id);
  expect(search.replayed).toBe(false);
  expect(search.allowance).toEqual(page.request_allowance);
  expect(search.requestId).toEqual(expect.any(String));
});

test('the same key again is the same operation, said to be replayed and not paid for', async () => {
  const { ces } = await createClient();
  const first = await ces.searchCompanies({ query, limit: 3 }, { requestKey: 'clé d’été ☀' }).done();
  const again = ces.searchCompanies({ query, limit: 3 }, { requestKey: 'clé d’été ☀' });
  expect((await again.done()).usage).toEqual(first.usage);
  expect(first.usage.request_key).toBe('clé d’été ☀');
  expect(again.replayed).toBe(true);
  expect((await ces.getUsage()).usage).toMatchObject({ request_units: 1, delivered_units: 3 });
});

test('pages come with keys derived from the first and add up to the usage report', async () => {
  const { ces } = await createClient();
  const pages: SearchPage[] = [];
  for await (const page of ces.searchPages({ query, limit: 3 }, { requestKey: 'tour' })) pages.push(page);
  expect(pages.map(({ page }) => page.companies.length)).toEqual([3, 3, 2]);
  expect(pages.map(({ operation }) => operation.requestKey)).toEqual(['tour', 'tour/2', 'tour/3']);
  expect(new Set(pages.flatMap(({ page }) => page.companies.map(({ id }) => id))).size).toBe(8);
  expect((await ces.getUsage()).usage).toMatchObject({ request_units: 3, delivered_units: 8 });
});

test('pages again with the same first key cost nothing', async () => {
  const { ces } = await createClient();
  for (let round = 0; round < 2; round += 1)
    for await (const { operation } of ces.searchPages({ query, limit: 5 }, { requestKey: 'twice' }))
      expect(operation.replayed).toBe(round === 1);
  expect((await ces.getUsage()).usage).toMatchObject({ request_units: 2, delivered_units: 8 });
});

test('a background search is polled to the end, and resumed by its usage id', async () => {
  const { ces } = await createClient();
  const search = ces.searchCompanies({ query, limit: 2 }, { background: true });
  expect(await search.submit()).toMatchObject({ status: 'pending', retryAfterMs: 2000 });
  expect(search.units).toEqual({ request: 0, delivered: 0, fresh: 0 });
  const result = await search.done();
  expect(result.companies).toHaveLength(2);
  expect(search.units).toEqual({ request: 1, delivered: 2, fresh: 0 });
  const resumed = ces.resume(result.usage.id);
  expect(await resumed.done()).toMatchObject({ companies: result.companies });
  expect(resumed.requestKey).toBe(search.requestKey);
  expect(await ces.getOperation(result.usage.id)).toMatchObject({ status: 'done' });
});

test('companies are looked up by id, by hostname and one by one', async () => {
  const { ces } = await createClient();
  const id = recorded.companies.c1 ?? 0;
  const byId = await ces.lookUpCompanies({ ids: [id, 999_999_999] }).done();
  expect(byId.lookups.map(({ status }) => status)).toEqual(['found', 'not_found']);
  expect((await ces.lookUpCompanies({ domains: ['northwind2.example'] }).done()).companies).toHaveLength(1);
  const one = ces.getCompany(id);
  expect((await one.done()).company.id).toBe(id);
  expect(one.units).toEqual({ request: 1, delivered: 1, fresh: 0 });
  const unknown = ces.getCompany(999_999_999);
  await expect(unknown.done()).rejects.toMatchObject({ code: 'company_not_found', usage: { request_units: 1 } });
  expect(unknown.units).toEqual({ request: 1, delivered: 0, fresh: 0 });
});

test('observations are looked up by an address, or by a body when hostnames outgrow one', async () => {
  const { ces } = await createClient();
  const since = new Date(Date.now() - 3_600_000);
  const domains = ['northwind1.example', 'northwind2.example'];
  expect((await ces.lookUpObservations({ domains, since }).done()).observations).toHaveLength(2);
  const many = Array.from({ length: 100 }, (_, index) => `a-rather-long-name-northwind${index}.example`);
  expect((await ces.lookUpObservations({ domains: many, since }).done()).domains).toHaveLength(100);
  const { observation } = await ces.getObservation(recorded.observations.o1 ?? 0);
  expect(observation.company.id).toBe(recorded.companies.c1);
});

test('diagnostics, the usage report and sources cost nothing', async () => {
  const { ces } = await createClient();
  expect(await ces.diagnose().done()).toMatchObject({ status: 'ok', subscription: { plan: 'builder' } });
  expect((await ces.getSources()).sources.length).toBeGreaterThan(0);
  expect((await ces.getUsage()).usage.request_units).toBe(0);
});

test('the account lists its operations, and its statement adds up to the usage report', async () => {
  const { ces } = await createClient();
  for await (const _ of ces.searchPages({ query, limit: 3 }, { requestKey: 'listed' }));
  await ces.lookUpCompanies({ domains: ['northwind1.example'] }).done();
  const searches: string[] = [];
  const filter = { action: 'company_search', limit: 2 } as const;
  for await (const { usage } of ces.eachUsage(filter)) searches.push(usage.request_key);
  expect(searches).toEqual(['listed/3', 'listed/2', 'listed']);
  const entries: StatementEntry[] = [];
  for await (const entry of ces.eachEntry({ limit: 3 })) entries.push(entry);
  const sum = (unit: 'request_units' | 'delivered_units') => entries.reduce((total, entry) => total + entry[unit], 0);
  const { request_units, delivered_units } = (await ces.getUsage()).usage;
  expect([sum('request_units'), sum('delivered_units')]).toEqual([request_units, delivered_units]);
  expect((await ces.getStatement({ limit: 1 })).totals).toMatchObject({ request_units, delivered_units });
});

test.each([
  ['sandbox:planning_unavailable', 'planning_unavailable', 422],
  ['sandbox:failed', 'search_failed', 422],
  ['sandbox:limit_reached', 'request_limit_reached', 429],
])('%s is thrown as %s', async (scripted, code, status) => {
  const { ces } = await createClient({ testMode: true });
  const search = ces.searchCompanies({ query: scripted }, { requestKey: scripted });
  const thrown: unknown = await search.done().catch((error: unknown) => error);
  expect(CesError.is(thrown, code)).toBe(true);
  expect(thrown).toMatchObject({ code, status, requestKey: scripted });
});
