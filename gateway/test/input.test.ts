import { type DescMessage, type MessageShape, toJson } from '@bufbuild/protobuf';
import {
  SubmitCompanyLookupRequestSchema,
  SubmitCompanySearchRequestSchema,
  SubmitObservationLookupRequestSchema,
  SubmitObservationSearchRequestSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { answerOf, searched } from '../test-support/peers.ts';
import { sendRaw } from '../test-support/raw-http.ts';

let asked: unknown[] = [];
let gateway: TestGateway;

function record<D extends DescMessage>(schema: D) {
  return (request: MessageShape<D>) => {
    asked.push(toJson(schema, request));
    return { answer: answerOf(searched) };
  };
}

beforeAll(async () => {
  gateway = await startGateway({
    operations: {
      submitCompanySearch: record(SubmitCompanySearchRequestSchema),
      submitObservationSearch: record(SubmitObservationSearchRequestSchema),
      submitCompanyLookup: record(SubmitCompanyLookupRequestSchema),
      submitObservationLookup: record(SubmitObservationLookupRequestSchema),
      getOperation: () => ({ answer: answerOf(searched) }),
    },
  });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const post = (path: string, json: unknown) => gateway.call(path, { method: 'POST', requestKey: 'k', json });
const search = (json: unknown) => post('/api/companies/search', json);

test('a company search reaches operations as sent, with the principal of its caller', async () => {
  await search({
    query: '  Cold  STORAGE ',
    filters: {
      countries: ['US', 'CA', 'US'],
      kinds: [],
      demand_classes: ['proxy'],
      occurred_after: '2026-01-01T00:00:00+02:00',
      observed_after: 'yesterday',
      company_ids: [3, 9_007_199_254_740_991],
      domains: [' A.ca. '],
      exclude_company_ids: [4],
      exclude_domains: ['b.ca'],
    },
    limit: 5,
    target: 1000,
    background: true,
    cursor: '',
  });
  expect(asked).toEqual([
    {
      caller: { principal: expect.objectContaining({ accountId: '7', subscriptionId: '8', credentialId: '9' }) },
      requestKey: 'k',
      background: true,
      untilWaiting: true,
      input: {
        query: '  Cold  STORAGE ',
        filters: {
          countries: ['US', 'CA', 'US'],
          demandClasses: ['proxy'],
          occurredAfter: '2026-01-01T00:00:00+02:00',
          observedAfter: 'yesterday',
          companyIds: ['3', '9007199254740991'],
          domains: [' A.ca. '],
          excludeCompanyIds: ['4'],
          excludeDomains: ['b.ca'],
        },
        limit: 5,
        target: 1000,
        cursor: '',
      },
    },
  ]);
});

test('defaults that depend on plan or time stay absent', async () => {
  await search({ query: 'x' });
  expect(asked).toEqual([expect.objectContaining({ input: { query: 'x', filters: {} } })]);
  expect(asked[0]).not.toHaveProperty('background');
});

test.each<[string, unknown]>([
  ['no query', {}],
  ['an empty query', { query: '' }],
  ['a query of another type', { query: 7 }],
  ['a body that is a list', [{ query: 'x' }]],
  ['a body that is null', null],
  ['a background of "true"', { query: 'x', background: 'true' }],
  ['a background of 1', { query: 'x', background: 1 }],
  ['a background of null', { query: 'x', background: null }],
  ['a limit of "5"', { query: 'x', limit: '5' }],
  ['a limit of zero', { query: 'x', limit: 0 }],
  ['a limit of 1.5', { query: 'x', limit: 1.5 }],
  ['a limit of null', { query: 'x', limit: null }],
  ['a target of 1001', { query: 'x', target: 1001 }],
  ['a cursor of null', { query: 'x', cursor: null }],
  ['an unknown field', { query: 'x', account_id: 1 }],
  ['an unknown filter', { query: 'x', filters: { city: ['Toronto'] } }],
  ['filters of null', { query: 'x', filters: null }],
  ['another country', { query: 'x', filters: { countries: ['MX'] } }],
  ['a country in lower case', { query: 'x', filters: { countries: ['ca'] } }],
  ['a country that is no list', { query: 'x', filters: { countries: 'CA' } }],
  ['a kind that company search does not support', { query: 'x', filters: { kinds: ['job_posting'] } }],
  ['another demand class', { query: 'x', filters: { demand_classes: ['buyer'] } }],
  ['a company id of zero', { query: 'x', filters: { company_ids: [0] } }],
  ['101 company ids', { query: 'x', filters: { company_ids: Array(101).fill(1) } }],
  ['101 domains', { query: 'x', filters: { exclude_domains: Array(101).fill('a.ca') } }],
  ['a domain of null', { query: 'x', filters: { domains: [null] } }],
])('%s is invalid_search and reaches no service', async (_name, json) => {
  const response = await search(json);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_search', message: expect.any(String) } });
  expect(asked).toEqual([]);
});

test('the message names every mistake', async () => {
  const response = await search({ limit: 'x', filters: { countries: ['MX'], city: 1 } });
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error.message).toBe(
    [
      '`query` is required.',
      '`filters.city` is not a known field. `filters` takes countries, kinds, demand_classes, occurred_after, observed_after, company_ids, domains, exclude_company_ids, exclude_domains.',
      '`filters.countries[0]` must be one of CA, US.',
      '`limit` must be a whole number from 1 to 1000.',
    ].join(' '),
  );
});

test('both deprecated searches are one action, one of them in the background', async () => {
  const json = { query: 'x', filters: { kinds: ['job_posting'], observed_after: 't' }, limit: 3, cursor: 'c' };
  await post('/api/observations/search', json);
  await post('/api/usages', json);
  const input = { query: 'x', filters: { kinds: ['job_posting'], observedAfter: 't' }, limit: 3, cursor: 'c' };
  expect(asked).toEqual([
    expect.objectContaining({ requestKey: 'k', input }),
    expect.objectContaining({ requestKey: 'k', input, background: true }),
  ]);
});

test.each([{ background: true }, { filters: { company_ids: [1] } }, { filters: { domains: ['a.ca'] } }])(
  'observation search does not take %j',
  async (extra) => {
    expect((await post('/api/observations/search', { query: 'x', ...extra })).status).toBe(422);
  },
);

test('one id and a list of one id are the same look-up; an id no row has is looked up too', async () => {
  await gateway.call('/api/companies/9223372036854775807', { requestKey: 'k' });
  await gateway.call('/api/companies?ids%5B%5D=99999999999999999999999', { requestKey: 'k' });
  expect(asked).toEqual(Array(2).fill(expect.objectContaining({ input: { ids: ['9007199254740991'] } })));
});

test('POST and GET observation look-ups are the same', async () => {
  const since = '2026-01-01T00:00:00Z';
  await post('/api/observations/lookup', { domains: ['a.ca'], since, limit: 100 });
  await gateway.call(`/api/observations?domains[]=a.ca&since=${since}&limit=100`, { requestKey: 'k' });
  expect(asked[0]).toEqual(asked[1]);
  expect(asked[0]).toMatchObject({ input: { domains: ['a.ca'], since, limit: 100 } });
});

test.each<[string, string, number]>([
  ['/api/companies/abc', 'invalid_search', 422],
  ['/api/companies/0', 'invalid_search', 422],
  ['/api/companies/12?x=1', 'invalid_search', 422],
  ['/api/companies', 'invalid_search', 422],
  ['/api/observations?domains[]=a.ca', 'invalid_search', 422],
  ['/api/usages/0x10', 'invalid_request', 422],
  ['/api/usages/1e3', 'invalid_request', 422],
  [`/api/usages/0${'1'.repeat(200)}`, 'invalid_request', 422],
  ['/api/observations/01', 'invalid_request', 422],
  ['/api/usage?subscription=2', 'invalid_request', 422],
  ['/api/usages?account_id=2', 'invalid_request', 422],
  ['/api/usage/statement?subscription=2', 'invalid_request', 422],
])('%s is %s', async (path, code, status) => {
  const response = await gateway.call(path, { requestKey: 'k' });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { code } });
});

test.each(['/api/companies/1', '/api/companies?ids[]=1', '/api/observations?domains[]=a.ca&since=x'])(
  '%s needs an idempotency key',
  async (path) => {
    const response = await gateway.call(path);
    expect(await response.json()).toMatchObject({ error: { code: 'idempotency_key_required' } });
  },
);

test('an idempotency key given twice is refused, its bytes are UTF-8', async () => {
  const head =
    'GET /api/companies/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ces_live_test\r\n';
  const twice = await sendRaw(gateway.port, `${head}Idempotency-Key: a\r\nIdempotency-Key: a\r\n\r\n`);
  expect(twice).toMatchObject({ status: 422, body: { error: { code: 'invalid_search' } } });
  await sendRaw(gateway.port, Buffer.from(`${head}Idempotency-Key:  clé  \r\n\r\n`));
  expect(asked).toEqual([expect.objectContaining({ requestKey: 'clé' })]);
});

test.each<[unknown, string]>([
  [{ x: 1 }, 'invalid_request'],
  [[], 'invalid_request'],
])('the diagnostic does not take %j', async (json, code) => {
  const response = await post('/api/diagnostics', json);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ error: { code } });
});
