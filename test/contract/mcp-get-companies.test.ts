import { randomUUID } from 'node:crypto';
import { connectMcp, type McpSession, REVISIONS } from '@ces/gateway/test-support/mcp-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyFault } from '../support/contract/bodies.ts';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import type { Recorded } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let recorded: Recorded;

beforeAll(async () => {
  stack = await startTestStack();
  recorded = await recordCatalogue(stack);
  const withdrawn = recorded.observations['old-warehouse'] ?? 0;
  await stack.record.withdrawEvidence({ observationId: BigInt(withdrawn), reason: 'test' });
});
afterAll(() => stack[Symbol.asyncDispose]());

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  let subscriber: Subscriber;
  let session: McpSession;
  beforeAll(async () => {
    subscriber = await createSubscriber(stack, { plan: 'builder' });
    session = await connectMcp(stack.baseUrl, revision, subscriber.token);
  });
  afterAll(() => session[Symbol.asyncDispose]());

  const lookUp = async (input: Record<string, unknown>, request_key: string = randomUUID()) => {
    const result = await session.call('get_companies', { ...input, request_key });
    return { result, body: result.structuredContent as Answer['body'], meta: result._meta ?? {} };
  };
  const usage = async () => (await subscriber.report()).body.usage;

  test('a look-up is one operation over the list, the single company and the tool, charged once', async () => {
    const request_key = randomUUID();
    const id = recorded.companies.maple ?? 0;
    const before = await usage();
    const { body } = await lookUp({ ids: [id] }, request_key);
    expect(bodyFault(body, 'CompanyLookupResult')).toBeUndefined();
    expect(body).toMatchObject({ lookups: [{ id, status: 'found', company_id: id }], companies: [{ id }] });
    expect((await subscriber.lookUp({ ids: [id] }, request_key)).body).toEqual(body);
    const single = await subscriber.request('GET', `/api/companies/${id}`, { key: request_key });
    expect(single.body).toEqual({ company: body.companies[0] });
    expect(single.headers.get('idempotent-replayed')).toBe('true');
    expect(await usage()).toMatchObject({
      request_units: before.request_units + 1,
      delivered_units: before.delivered_units + 1,
    });
  });

  test('each input yields found, not_found, ambiguous or unavailable, and only found is charged', async () => {
    const domains = ['quiet.example', 'shared.example', 'nobody.example', ' PRAIRIE.example. '];
    const { body, meta } = await lookUp({ domains });
    expect(body.lookups).toEqual([
      { domain: 'quiet.example', status: 'unavailable' },
      { domain: 'shared.example', status: 'ambiguous' },
      { domain: 'nobody.example', status: 'not_found' },
      { domain: 'prairie.example', status: 'found', company_id: recorded.companies.prairie },
    ]);
    expect(body.usage).toMatchObject({ request_units: 1, delivered_units: 1, fresh_evidence_units: 0 });
    expect(meta['units-settled']).toBe('request=1, delivered=1, fresh=0');
  });

  test('an unknown company is a result with not_found and settles one request unit, where a path says 404', async () => {
    const request_key = randomUUID();
    const { result, body } = await lookUp({ ids: [999_999] }, request_key);
    expect(result.isError).toBe(false);
    expect(body).toMatchObject({
      companies: [],
      lookups: [{ id: 999_999, status: 'not_found' }],
      usage: { request_units: 1, delivered_units: 0 },
    });
    const single = await subscriber.request('GET', '/api/companies/999999', { key: request_key });
    expect(single.status).toBe(404);
    expect(single.body).toMatchObject({ error: { code: 'company_not_found' }, usage: body.usage });
  });

  test.each<[string, Record<string, unknown>]>([
    ['ids and domains together', { ids: [1], domains: ['a.example'] }],
    ['neither', {}],
    ['21 ids', { ids: Array.from({ length: 21 }, (_, n) => n + 1) }],
    ['an id of zero', { ids: [0] }],
    ['a URL', { domains: ['https://maple.example/'] }],
    ['a field that is not known', { ids: [1], limit: 3 }],
  ])('%s is invalid_search, spends nothing and leaves the key free', async (_name, input) => {
    const request_key = randomUUID();
    const before = await usage();
    const { result, body } = await lookUp(input, request_key);
    expect(result.isError).toBe(true);
    expect(body).toEqual({ error: { code: 'invalid_search', message: expect.any(String) } });
    expect(await usage()).toEqual(before);
    expect((await lookUp({ ids: [1] }, request_key)).meta['idempotent-replayed']).toBeUndefined();
  });

  test('the same key with other inputs yields idempotency_conflict', async () => {
    const request_key = randomUUID();
    await lookUp({ domains: ['maple.example'] }, request_key);
    expect((await lookUp({ domains: ['prairie.example'] }, request_key)).body.error.code).toBe('idempotency_conflict');
    const again = await lookUp({ domains: ['MAPLE.example.'] }, request_key);
    expect(again.meta['idempotent-replayed']).toBe('true');
  });
});
