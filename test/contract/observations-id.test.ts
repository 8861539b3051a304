import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import type { Recorded } from '../support/record.ts';
import { startGatewayBefore, startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber, surface } from '../support/subscriber.ts';

const READS_PER_HOUR = 40;
let stack: TestStack;
let recorded: Recorded;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack({ env: { CES_ACCOUNT_OBSERVATIONS_PER_HOUR: String(READS_PER_HOUR) } });
  recorded = await recordCatalogue(stack);
  subscriber = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

const get = (id: unknown) => subscriber.request('GET', `/api/observations/${id}`);

test('200 with {observation: Observation} and its company, unmetered', async () => {
  const before = (await subscriber.report()).body;
  const answer = await get(recorded.observations.warehouse);
  expectBody(answer, 200, 'ObservationDetail');
  expect(answer.body.observation).toMatchObject({
    id: recorded.observations.warehouse,
    kind: 'facility_expansion',
    demand_class: 'proxy',
    country: 'CA',
    confidence: 0.9,
    categories: ['48-49'],
    company: { id: recorded.companies.maple, name: 'Maple Cold Storage Ltd' },
    evidence: [{ source_uri: 'https://source.example/warehouse' }],
  });
  expect((await subscriber.report()).body).toEqual(before);
});

test.each([
  ['tender', 'procurement_request', 'explicit_request'],
  ['warehouse', 'facility_expansion', 'proxy'],
  ['funding', 'funding_round', 'proxy'],
  ['leadership', 'leadership_change', 'proxy'],
  ['launch', 'product_launch', 'proxy'],
  ['partnership', 'partnership', 'proxy'],
  ['technology', 'technology_use', 'proxy'],
  ['job', 'job_posting', 'proxy'],
  ['profile', 'company_profile', 'structural'],
])('a %s is a %s and %s', async (key, kind, demandClass) => {
  const answer = await get(recorded.observations[key]);
  expectBody(answer, 200, 'ObservationDetail');
  expect(answer.body.observation).toMatchObject({ kind, demand_class: demandClass });
  expect(answer.body.observation.occurred_at === null).toBe(kind === 'company_profile');
});

test('404 observation_not_found when no deliverable observation has that id', async () => {
  expectRefusal(await get(999_999_999), 404, 'observation_not_found');
  expectRefusal(await get('9'.repeat(30)), 404, 'observation_not_found');
  const withdrawn = BigInt(recorded.observations['warehouse-2'] ?? 0);
  await stack.record.withdrawEvidence({ observationId: withdrawn, reason: 'test' });
  expectRefusal(await get(withdrawn), 404, 'observation_not_found');
});

test('deprecated on every status, with its successor', async () => {
  for (const id of [recorded.observations.warehouse, 999_999_999, 'x']) {
    const { headers } = await get(id);
    expect(headers.get('deprecation')).toBe('@1767225600');
    expect(headers.get('link')).toContain('</api/companies/{id}>; rel="successor-version"');
    expect(headers.get('sunset')).toBeNull();
  }
});

test('a bad id is invalid_request', async () => {
  expectRefusal(await get('0'), 422, 'invalid_request');
});

test('an account reads so many in an hour, by whichever key and gateway; then it is 429 with the seconds until one comes back', async () => {
  const reader = await createSubscriber(stack);
  const { token } = await stack.ledgerAdmin.issueCredential({ accountId: reader.accountId, label: 'second' });
  const { CES_OPERATIONS_URL: operationsUrl = '' } = stack.environmentOf('gateway');
  await using other = await startGatewayBefore(stack, operationsUrl);
  const surfaces = [reader, surface(stack.baseUrl, token), surface(other.url, reader.token), surface(other.url, token)];
  const ids = [recorded.observations.tender, 999_999_999];
  const reads = Array.from({ length: READS_PER_HOUR + 10 }, (_, n) =>
    surfaces[n % 4]?.request('GET', `/api/observations/${ids[Math.floor(n / 4) % 2]}`),
  );
  const answers = (await Promise.all(reads)).flatMap((answer) => answer ?? []);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404, 429]));
  for (const answer of refused) {
    expectRefusal(answer, 429, 'rate_limited');
    expect(answer.headers.get('deprecation')).not.toBeNull();
    const seconds = Number(answer.headers.get('retry-after'));
    expect(answer.body.error.retry_after_seconds).toBe(seconds);
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(3_600 / READS_PER_HOUR);
  }
  expect((await reader.lookUp({ ids: [recorded.companies.maple ?? 0] })).status).toBe(200);
  expect((await get(recorded.observations.warehouse)).status).toBe(200);
});
