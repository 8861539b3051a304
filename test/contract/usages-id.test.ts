import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { BodyName } from '../support/contract/bodies.ts';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
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

const since = '2020-01-01T00:00:00Z';

test.each<[BodyName, string, string, unknown]>([
  ['CompanyResult', 'POST', '/api/companies/search', { query: 'refrigerated warehouse' }],
  ['ObservationResult', 'POST', '/api/observations/search', { query: 'warehouse' }],
  ['DiagnosticResult', 'POST', '/api/diagnostics', undefined],
  ['CompanyLookupResult', 'GET', '/api/companies?domains[]=maple.example', undefined],
  ['ObservationLookupResult', 'POST', '/api/observations/lookup', { domains: ['maple.example'], since }],
])('200 with the completed %s, as it was first answered', async (name, method, path, json) => {
  const first = await subscriber.request(method, path, { key: randomUUID(), json });
  expectBody(first, 200, name);
  const before = (await subscriber.report()).body.usage;
  const poll = await subscriber.poll(first.body.usage.id);
  expectBody(poll, 200, name);
  expect({ ...poll.body, request_allowance: 0 }).toEqual({ ...first.body, request_allowance: 0 });
  expect(poll.headers.get('idempotent-replayed')).toBeNull();
  expect(poll.headers.get('units-settled')).toBe(first.headers.get('units-settled'));
  expect(poll.headers.get('deprecation')).toBeNull();
  expect((await subscriber.report()).body.usage).toEqual(before);
});

test('202 while pending or processing, then 200: polling is the only way to learn of background completion', async () => {
  const accepted = await subscriber.search({ query: 'refrigerated warehouse', background: true });
  expectBody(accepted, 202, 'Pending');
  const { id } = accepted.body.usage;
  await vi.waitFor(
    async () => {
      const poll = await subscriber.poll(id);
      if (poll.status === 202) expectBody(poll, 202, 'Pending');
      expectBody(poll, 200, 'CompanyResult');
    },
    { timeout: 60_000, interval: 250 },
  );
});

test('polling a failed operation returns 422 with an Error body and its usage', async () => {
  const sandbox = await createSubscriber(stack, { plan: 'builder', testMode: true });
  const failed = await sandbox.search({ query: 'sandbox:failed' });
  const poll = await sandbox.poll(failed.body.usage.id);
  expectBody(poll, 422, 'Error');
  expect(poll.body).toMatchObject({ error: { code: 'search_failed' }, usage: { status: 'failed', request_units: 0 } });
});

test("another account's usage id is 404, like one that never was", async () => {
  const { body } = await subscriber.lookUp({ domains: ['maple.example'] });
  const other = await createSubscriber(stack);
  const foreign = await other.poll(body.usage.id);
  expectRefusal(foreign, 404, 'usage_not_found');
  expect((await other.poll(body.usage.id + 1_000_000)).body).toEqual(foreign.body);
  expectRefusal(await other.request('GET', `/api/usages/${'9'.repeat(30)}`), 404, 'usage_not_found');
});

test('all credentials of the account see its operations', async () => {
  const { body } = await subscriber.lookUp({ domains: ['maple.example'] });
  const { token } = await stack.ledgerAdmin.issueCredential({ accountId: subscriber.accountId, label: 'second' });
  const headers = { authorization: `Bearer ${token}` };
  expect((await subscriber.request('GET', `/api/usages/${body.usage.id}`, { headers })).status).toBe(200);
});

test('a poll rechecks the subscription', async () => {
  const leaving = await createSubscriber(stack);
  const { body } = await leaving.lookUp({ domains: ['maple.example'] });
  await stack.ledgerAdmin.updateSubscription({ subscriptionId: leaving.subscriptionId, status: 'canceled' });
  await vi.waitFor(async () => expect((await leaving.poll(body.usage.id)).status).toBe(402), {
    timeout: 60_000,
    interval: 200,
  });
});

test.each(['0', '-1', '01', '1.0', '0x1', 'abc'])('the id %j is invalid_request', async (id) => {
  expectRefusal(await subscriber.request('GET', `/api/usages/${id}`), 422, 'invalid_request');
});
