import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let recorded: Recorded;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(8, 'cold storage warehouse');
  recorded = await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

async function settled(subscriber: Subscriber) {
  const { usage } = (await subscriber.report()).body;
  return [usage.request_units, usage.delivered_units];
}

test('a search settles one request unit and one delivered unit a distinct company', async () => {
  const subscriber = await createSubscriber(stack);
  const { status, headers, body } = await subscriber.search({ query: 'cold storage warehouse', limit: 5 });
  expect(status).toBe(200);
  expect(body.usage).toMatchObject({
    status: 'delivered',
    request_units: 1,
    delivered_units: 5,
    fresh_evidence_units: 0,
  });
  expect(headers.get('units-settled')).toBe('request=1, delivered=5, fresh=0');
  expect(await settled(subscriber)).toEqual([1, 5]);
});

test('a search that finds nothing settles one request unit and no delivered unit', async () => {
  const subscriber = await createSubscriber(stack);
  const nothing = await subscriber.search({ query: 'zeppelin', filters: { company_ids: [999_999] } });
  expect(nothing.body.companies).toEqual([]);
  const stopWords = await subscriber.search({ query: 'the of and' });
  expect(stopWords.body.companies).toEqual([]);
  expect(await settled(subscriber)).toEqual([2, 0]);
});

test('a look-up settles what it found, and two inputs of one company once', async () => {
  const subscriber = await createSubscriber(stack);
  const domains = ['northwind1.example', 'nobody.example', 'NORTHWIND1.example.'];
  const byDomain = await subscriber.lookUp({ domains });
  expect(byDomain.status).toBe(200);
  expect(byDomain.body.lookups).toEqual([
    { status: 'found', domain: 'northwind1.example', company_id: recorded.companies.c1 },
    { status: 'not_found', domain: 'nobody.example' },
  ]);
  expect(byDomain.body.companies).toHaveLength(1);
  expect(await settled(subscriber)).toEqual([1, 1]);
});

test('an unknown single company is 404 and settles one request unit, once', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, body } = await subscriber.request('GET', '/api/companies/999999', { key });
    expect(status).toBe(404);
    expect(body.error.code).toBe('company_not_found');
    expect(body.usage).toMatchObject({ status: 'delivered', request_units: 1, delivered_units: 0 });
  }
  expect(await settled(subscriber)).toEqual([1, 0]);
});

test('one look-up is one operation on all its paths', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const id = recorded.companies.c2 ?? 0;
  const single = await subscriber.request('GET', `/api/companies/${id}`, { key });
  expect(single.body.company).toMatchObject({ id, name: 'Northwind 2 Ltd' });
  const list = await subscriber.lookUp({ ids: [id] }, key);
  expect(list.body.companies).toEqual([single.body.company]);
  expect((await subscriber.poll(list.body.usage.id)).body.companies).toEqual([single.body.company]);
  expect(await settled(subscriber)).toEqual([1, 1]);
});

test('a call that the allowance cannot bear is refused, names what would be admitted, and leaves its key free', async () => {
  const subscriber = await createSubscriber(stack, { limits: { windowDeliveredUnits: 6n } });
  expect((await subscriber.search({ query: 'cold storage warehouse', limit: 4 })).status).toBe(200);
  const key = randomUUID();
  const refused = await subscriber.search({ query: 'cold storage warehouse', limit: 3 }, key);
  expect(refused.status).toBe(429);
  expect(refused.body.error.code).toBe('request_limit_reached');
  expect(refused.body.error.message).toContain('2');
  const retryAt = Date.parse(refused.body.error.retry_at ?? '');
  expect(retryAt - Date.now()).toBeGreaterThan(17_900_000);
  expect(retryAt - Date.now()).toBeLessThanOrEqual(18_001_000);
  expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.error.retry_after_seconds);
  expect(refused.body).not.toHaveProperty('usage');
  expect((await subscriber.search({ query: 'cold storage warehouse', limit: 2 }, key)).status).toBe(200);
  expect(await settled(subscriber)).toEqual([2, 6]);
});

test('a call that could never be admitted names no instant', async () => {
  const subscriber = await createSubscriber(stack, { limits: { windowDeliveredUnits: 2n } });
  const refused = await subscriber.search({ query: 'cold storage warehouse', limit: 3 });
  expect(refused.status).toBe(429);
  expect(refused.body.error).not.toHaveProperty('retry_at');
});

test('units held by work in hand are reported as reservations and bound what is left', async () => {
  const subscriber = await createSubscriber(stack, { testMode: true, plan: 'builder' });
  const pending = await subscriber.search({ query: 'sandbox:slow', limit: 7, background: true });
  expect(pending.status).toBe(202);
  const { body } = await subscriber.report();
  expect(body.reservations).toEqual({ request_units: 1, delivered_units: 7 });
  expect(body.usage.request_units).toBe(0);
  const left = await subscriber.poll(pending.body.usage.id);
  expect(left.body.request_allowance.window_remaining).toBe(59);
});

test('ledger and operations agree about every unit', async () => {
  const { differences } = await stack.ledgerAdmin.verifyLedger({});
  expect(differences).toEqual([]);
  const { settlements } = await stack.operationsAdmin.listSettlements({ limit: 5_000 });
  const { movements } = await stack.ledgerAdmin.listMovements({ limit: 5_000 });
  const entries = new Map(movements.map(({ hold, entry }) => [hold?.operationId, entry?.units]));
  for (const settlement of settlements.filter(({ metered, status }) => metered && status === 3)) {
    expect(entries.get(settlement.operationId)).toMatchObject({
      requestUnits: 1n,
      deliveredUnits: settlement.storedCompanies,
    });
  }
});
