import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { AT, answerOf, company, type Outcome, observation, searched } from '../test-support/peers.ts';

let next: () => Outcome;
let replayed = false;
let gateway: TestGateway;

const answer = () => ({ answer: answerOf(next(), { replayed }) });

beforeAll(async () => {
  gateway = await startGateway({
    operations: {
      submitCompanySearch: answer,
      submitObservationSearch: answer,
      submitCompanyLookup: answer,
      submitObservationLookup: answer,
      submitDiagnostic: answer,
      getOperation: answer,
    },
    lookup: {
      getObservation: ({ observationId }) => {
        if (observationId !== 31n) throw fail(FailureCode.OBSERVATION_NOT_FOUND, 'No such observation.');
        return { observation };
      },
    },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const search = () =>
  gateway.call('/api/companies/search', { method: 'POST', requestKey: 'k', json: { query: 'bids' } });
const lookedUp = (status: LookupStatus): Outcome => ({
  case: 'companyLookup',
  value: {
    asOf: AT,
    companies: status === LookupStatus.FOUND ? [company] : [],
    lookups: [{ input: { case: 'id', value: 21n }, status, ...(status === LookupStatus.FOUND && { companyId: 21n }) }],
    limitations: ['limited_source_coverage'],
    withheldUnits: 0n,
  },
});

test('a finished operation is 200 with the result, and its headers say what the closed body cannot', async () => {
  next = () => searched;
  const response = await search();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'usage-id': '41',
    'units-settled': 'request=1, delivered=7, fresh=3',
    'ratelimit-policy': '"window";q=60;w=18000, "week";q=500;w=604800',
    ratelimit: '"window";r=59;t=17, "week";r=499;t=0',
    'cache-control': 'private, no-store',
    link: '</sources>; rel="license"',
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
  });
  expect(response.headers.get('idempotent-replayed')).toBeNull();
  expect(await response.json()).toMatchObject({
    usage: { id: 41, status: 'delivered' },
    next_cursor: null,
    as_of: '2026-03-04T05:06:07.089Z',
    companies: [{ id: 21, match: { query: 'bids', observation_ids: [31] } }],
  });
});

test('an unfinished operation is 202 with the Pending body and says where and when to poll', async () => {
  next = () => ({ case: 'pending', value: {} });
  const response = await search();
  expect(response.status).toBe(202);
  expect(Object.keys((await response.json()) as object)).toEqual(['usage', 'request_allowance']);
  expect(response.headers.get('location')).toBe('/api/usages/41');
  expect(response.headers.get('retry-after')).toBe('2');
});

test('an idempotency key that was known is replayed, 202 included', async () => {
  replayed = true;
  for (const outcome of [searched, { case: 'pending', value: {} } as const]) {
    next = () => outcome;
    expect((await search()).headers.get('idempotent-replayed')).toBe('true');
  }
  replayed = false;
});

test('GET /api/companies/{id} renders the one item of the look-up', async () => {
  next = () => lookedUp(LookupStatus.FOUND);
  const response = await gateway.call('/api/companies/21', { requestKey: 'k' });
  expect(response.status).toBe(200);
  expect(response.headers.get('link')).toBe('</sources>; rel="license"');
  expect(response.headers.get('usage-id')).toBe('41');
  expect(await response.json()).toMatchObject({
    company: { id: 21, domains: [{ id: 5, hostname: 'a.example' }], limitations: ['limited_source_coverage'] },
  });
});

test.each([LookupStatus.NOT_FOUND, LookupStatus.UNAVAILABLE])(
  'any other outcome %s is 404 company_not_found with usage and allowance',
  async (status) => {
    next = () => lookedUp(status);
    const response = await gateway.call('/api/companies/21', { requestKey: 'k' });
    expect(response.status).toBe(404);
    expect(response.headers.get('units-settled')).toBe('request=1, delivered=7, fresh=3');
    expect(await response.json()).toMatchObject({
      error: { code: 'company_not_found' },
      usage: { id: 41, status: 'delivered' },
      request_allowance: { window_remaining: 59 },
    });
  },
);

test('list and poll render the same operation as 200 CompanyLookupResult', async () => {
  for (const path of ['/api/companies?ids[]=21', '/api/usages/41']) {
    next = () => lookedUp(LookupStatus.UNAVAILABLE);
    const response = await gateway.call(path, { requestKey: 'k' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ lookups: [{ id: 21, status: 'unavailable' }], companies: [] });
  }
});

test('an operation that is not finished is 202 on every route that has one', async () => {
  next = () => ({ case: 'pending', value: {} });
  const since = 'since=2026-01-01T00:00:00Z';
  const statuses = [
    gateway.call('/api/companies/21', { requestKey: 'k' }),
    gateway.call('/api/companies?domains[]=a.ca', { requestKey: 'k' }),
    gateway.call(`/api/observations?domains[]=a.ca&${since}`, { requestKey: 'k' }),
    gateway.call('/api/usages', { method: 'POST', requestKey: 'k', json: { query: 'x' } }),
    gateway.call('/api/diagnostics', { method: 'POST', requestKey: 'k' }),
    gateway.call('/api/usages/42'),
  ].map(async (response) => (await response).status);
  expect(await Promise.all(statuses)).toEqual([202, 202, 202, 202, 202, 202]);
});

test('observations come with their company, newest evidence as sent', async () => {
  next = () => ({
    case: 'observationLookup',
    value: {
      asOf: AT,
      observations: [observation],
      domains: [{ hostname: 'a.ca', found: true }, { hostname: 'b.ca' }],
    },
  });
  const json = { domains: ['a.ca', 'b.ca'], since: '2026-01-01T00:00:00Z' };
  const response = await gateway.call('/api/observations/lookup', { method: 'POST', requestKey: 'k', json });
  expect(await response.json()).toMatchObject({
    observations: [{ id: 31, company: { id: 21, name: 'A Ltd' }, expires_at: null }],
    domains: [
      { hostname: 'a.ca', status: 'found' },
      { hostname: 'b.ca', status: 'not_found' },
    ],
    next_cursor: null,
  });
});

test('an observation without an event date has occurred_at null and no categories it does not report', async () => {
  const { occurredAt: _, ...undated } = observation;
  const value = { ...undated, evidence: [], expiresAt: timestampFromDate(new Date(0)) };
  next = () => ({ case: 'observationSearch', value: { asOf: AT, retrieval: 1, observations: [value] } });
  const response = await gateway.call('/api/observations/search', {
    method: 'POST',
    requestKey: 'k',
    json: { query: 'x' },
  });
  const body = (await response.json()) as { observations: object[] };
  expect(body.observations[0]).toMatchObject({ occurred_at: null, expires_at: '1970-01-01T00:00:00.000Z' });
  expect(body.observations[0]).not.toHaveProperty('categories');
});

test('a diagnostic says ok and how the subscription is', async () => {
  next = () => ({ case: 'diagnostic', value: { plan: 'builder', subscriptionStatus: 'active' } });
  const response = await gateway.call('/api/diagnostics', { method: 'POST', requestKey: 'k', json: {} });
  expect(await response.json()).toMatchObject({ status: 'ok', subscription: { plan: 'builder', status: 'active' } });
});

test('deprecated routes say so on every status', async () => {
  next = () => ({ case: 'observationSearch', value: { asOf: AT, retrieval: 1 } });
  const post = (path: string, init: object) => gateway.call(path, { method: 'POST', ...init });
  const good = { requestKey: 'k', json: { query: 'x' } };
  const successor = '</api/companies/search>; rel="successor-version"';
  for (const path of ['/api/observations/search', '/api/usages'])
    for (const [init, status] of [
      [good, 200],
      [{ ...good, headers: { authorization: '' } }, 401],
      [{ ...good, headers: { 'content-type': 'text/plain' } }, 415],
      [{ json: {} }, 422],
    ] as const) {
      const { headers, status: actual } = await post(path, init);
      expect([actual, headers.get('deprecation')]).toEqual([status, '@1767225600']);
      expect(headers.get('link')).toContain('</docs>; rel="deprecation"');
      expect(headers.get('link')).toContain(successor);
      expect(headers.get('link')?.includes('rel="license"')).toBe(status === 200);
      expect(headers.get('sunset')).toBeNull();
    }
  for (const [path, status] of [
    ['/api/observations/31', 200],
    ['/api/observations/32', 404],
    ['/api/observations/x', 422],
  ] as const) {
    const response = await gateway.call(path);
    expect([response.status, response.headers.get('deprecation')]).toEqual([status, '@1767225600']);
    expect(response.headers.get('link')).toContain('</api/companies/{id}>; rel="successor-version"');
  }
  expect((await gateway.call('/api/usages/43')).headers.get('deprecation')).toBeNull();
});

test('an answer that does not fit its schema fails loudly in tests', async () => {
  next = () => ({ case: 'companyLookup', value: { asOf: AT, companies: [company], lookups: [] } });
  const response = await gateway.call('/api/companies?ids[]=21', { requestKey: 'k' });
  expect(response.status).toBe(500);
});

test('a trace goes on from the caller', async () => {
  next = () => searched;
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
  const response = await gateway.call('/api/usages/44', { headers: { traceparent } });
  expect(response.headers.get('traceparent')).toMatch(
    /^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-00$/,
  );
});
