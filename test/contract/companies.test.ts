import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  subscriber = await createSubscriber(stack);
  const withdrawn = recorded.observations['old-warehouse'] ?? 0;
  await stack.record.withdrawEvidence({ observationId: BigInt(withdrawn), reason: 'test' });
});
afterAll(() => stack[Symbol.asyncDispose]());

test('a look-up by id or by domain is 200 with CompanyLookupResult', async () => {
  const { maple } = recorded.companies;
  const byId = await subscriber.lookUp({ ids: [maple ?? 0] });
  const byDomain = await subscriber.lookUp({ domains: ['maple.example'] });
  for (const answer of [byId, byDomain]) {
    expectBody(answer, 200, 'CompanyLookupResult');
    expect(answer.body).toMatchObject({
      usage: { request_units: 1, delivered_units: 1, fresh_evidence_units: 0 },
      withheld_units: 0,
      companies: [{ id: maple, name: 'Maple Cold Storage Ltd' }],
    });
    expect(answer.body.companies[0]?.observations).toHaveLength(3);
    expect(answer.body.limitations).toContain('limited_source_coverage');
    expect(answer.headers.get('link')).toBe('</sources>; rel="license"');
  }
  expect(byId.body.lookups).toEqual([{ id: maple, status: 'found', company_id: maple }]);
  expect(byDomain.body.lookups).toEqual([{ domain: 'maple.example', status: 'found', company_id: maple }]);
});

test('each input yields found, not_found, ambiguous or unavailable, and only found is charged', async () => {
  const domains = ['quiet.example', 'shared.example', 'nobody.example', 'prairie.example'];
  const answer = await subscriber.lookUp({ domains });
  expectBody(answer, 200, 'CompanyLookupResult');
  expect(answer.body.lookups).toEqual([
    { domain: 'quiet.example', status: 'unavailable' },
    { domain: 'shared.example', status: 'ambiguous' },
    { domain: 'nobody.example', status: 'not_found' },
    { domain: 'prairie.example', status: 'found', company_id: recorded.companies.prairie },
  ]);
  expect(answer.body.usage).toMatchObject({ request_units: 1, delivered_units: 1 });
});

test('duplicates collapse to their first position; two inputs of one company are one company and two found', async () => {
  const { maple } = recorded.companies;
  const domains = ['Shop.Maple.example.', 'maple.example', 'shop.maple.example'];
  const answer = await subscriber.lookUp({ domains });
  expect(answer.body.lookups).toEqual([
    { domain: 'shop.maple.example', status: 'found', company_id: maple },
    { domain: 'maple.example', status: 'found', company_id: maple },
  ]);
  expect(answer.body.companies).toHaveLength(1);
  expect(answer.body.usage.delivered_units).toBe(1);
});

test('nested observations: explicit requests, proxies, structural, then the newest event', async () => {
  const { body } = await subscriber.lookUp({ ids: [recorded.companies.harbour ?? 0] });
  const [company] = body.companies;
  expect(company?.observations.map(({ demand_class }) => demand_class)).toEqual(['proxy', 'proxy', 'proxy']);
});

test('an id too large for any row is an unknown id', async () => {
  for (const id of ['9007199254740991', '9007199254740993', '9223372036854775808']) {
    const answer = await subscriber.request('GET', `/api/companies?ids[]=${id}`, { key: randomUUID() });
    expectBody(answer, 200, 'CompanyLookupResult');
    expect(answer.body.lookups).toEqual([{ id: 9_007_199_254_740_991, status: 'not_found' }]);
    expect(answer.body.usage).toMatchObject({ request_units: 1, delivered_units: 0 });
  }
});

test('up to 20 ids or domains, not mixed', async () => {
  const twenty = Array.from({ length: 20 }, (_, n) => `d${n}.example`);
  const full = await subscriber.lookUp({ domains: twenty });
  expectBody(full, 200, 'CompanyLookupResult');
  expect(full.body.lookups).toHaveLength(20);
  expectRefusal(await subscriber.lookUp({ domains: [...twenty, 'd0.example'] }), 422, 'invalid_search');
  expectRefusal(await subscriber.lookUp({ ids: [1], domains: ['a.example'] }), 422, 'invalid_search');
  expectRefusal(await subscriber.lookUp({}), 422, 'invalid_search');
});

test.each([
  'ids=1',
  'ids[]=0',
  'ids[]=1e3',
  'ids[]=01',
  'ids[]=',
  'domains[]=',
  'domains[]=http://a.example',
  'domains[]=a.example&x=1',
])('?%s is invalid_search, spends nothing and leaves the key free', async (query) => {
  const key = randomUUID();
  const before = (await subscriber.report()).body.usage;
  expectRefusal(await subscriber.request('GET', `/api/companies?${query}`, { key }), 422, 'invalid_search');
  expect((await subscriber.report()).body.usage).toEqual(before);
  expect((await subscriber.lookUp({ domains: ['nobody.example'] }, key)).headers.get('idempotent-replayed')).toBeNull();
});

test('the same look-up in other words is the same operation; another order is another', async () => {
  const key = randomUUID();
  const first = await subscriber.lookUp({ domains: ['maple.example', 'nobody.example'] }, key);
  const again = await subscriber.request(
    'GET',
    '/api/companies?domains%5B%5D=MAPLE.example&domains[]=nobody.example.',
    { key },
  );
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body.usage).toEqual(first.body.usage);
  expect(again.body.lookups).toEqual(first.body.lookups);
});

test('a look-up needs a key', async () => {
  expectRefusal(await subscriber.request('GET', '/api/companies?ids[]=1'), 422, 'idempotency_key_required');
});
