import { randomUUID } from 'node:crypto';
import { afterAll, assert, beforeAll, expect, test } from 'vitest';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

let stack: TestStack;
let recorded: Recorded;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(5, 'paper mill');
  recorded = await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

function observationOf(companyId: number): bigint {
  const key =
    Object.entries(recorded.companies)
      .find(([, id]) => id === companyId)?.[0]
      .replace('c', 'o') ?? '';
  return BigInt(recorded.observations[key] ?? 0);
}

test('withdrawn evidence leaves the replay and is counted, the settlement is unchanged, and restoring brings the evidence back', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const first = await subscriber.search({ query: 'paper mill', limit: 4 }, key);
  const gone = first.body.companies[1]?.id;
  assert(gone);
  await stack.record.withdrawEvidence({ observationId: observationOf(gone), reason: 'the source took it back' });

  for (const replay of [
    await subscriber.search({ query: 'paper mill', limit: 4 }, key),
    await subscriber.poll(first.body.usage.id),
  ]) {
    expect(replay.status).toBe(200);
    expect(replay.body.withheld_units).toBe(1);
    expect(replay.body.usage).toEqual(first.body.usage);
    expect(replay.body.as_of).toBe(first.body.as_of);
    expect(replay.body.companies).toEqual(
      first.body.companies.filter((company: { id: number }) => company.id !== gone),
    );
    expect(replay.body.coverage.returned_companies).toBe(3);
    expect(replay.body.coverage.limitations).toContain('evidence_withdrawn');
  }

  await stack.record.restoreEvidence({ observationId: observationOf(gone) });
  expect((await subscriber.search({ query: 'paper mill', limit: 4 }, key)).body).toEqual(first.body);
  expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 1, delivered_units: 4 });
});

test('a new search neither shows nor charges withdrawn evidence', async () => {
  const subscriber = await createSubscriber(stack);
  await stack.untilIndexed();
  const observationId = observationOf(recorded.companies.c3 ?? 0);
  await stack.record.withdrawEvidence({ observationId, reason: 'test' });
  const { body } = await subscriber.search({ query: 'paper mill' });
  await stack.record.restoreEvidence({ observationId });
  expect(body.companies.map((company: { id: number }) => company.id)).not.toContain(recorded.companies.c3);
  expect(body.usage.delivered_units).toBe(4);
});

test('a look-up that found replays as unavailable while its evidence is withdrawn, and a single one as 404', async () => {
  const subscriber = await createSubscriber(stack);
  const id = recorded.companies.c2 ?? 0;
  const key = randomUUID();
  const single = await subscriber.request('GET', `/api/companies/${id}`, { key });
  expect(single.status).toBe(200);
  await stack.record.withdrawEvidence({ observationId: observationOf(id), reason: 'test' });
  const list = await subscriber.lookUp({ ids: [id] }, key);
  const gone = await subscriber.request('GET', `/api/companies/${id}`, { key });
  const fresh = await subscriber.lookUp({ ids: [id] });
  await stack.record.restoreEvidence({ observationId: observationOf(id) });
  expect(list.body).toMatchObject({ companies: [], withheld_units: 1, lookups: [{ status: 'unavailable', id }] });
  expect(list.body.usage).toMatchObject({ request_units: 1, delivered_units: 1 });
  expect([gone.status, gone.body.error.code]).toEqual([404, 'company_not_found']);
  expect(gone.body.usage).toMatchObject({ status: 'delivered', request_units: 1, delivered_units: 1 });
  expect(fresh.body.usage).toMatchObject({ request_units: 1, delivered_units: 0 });
  expect((await subscriber.request('GET', `/api/companies/${id}`, { key })).body).toEqual(single.body);
});

test('a domain stops being current with the last evidence that supports it', async () => {
  const subscriber = await createSubscriber(stack);
  const observationId = observationOf(recorded.companies.c4 ?? 0);
  await stack.untilIndexed((await stack.record.withdrawEvidence({ observationId, reason: 'test' })).tx);
  const lookUp = await subscriber.lookUp({ domains: ['northwind4.example'] });
  const search = await subscriber.search({ query: 'paper mill', filters: { domains: ['northwind4.example'] } });
  await stack.untilIndexed((await stack.record.restoreEvidence({ observationId })).tx);
  expect(lookUp.body.lookups).toEqual([{ status: 'unavailable', domain: 'northwind4.example' }]);
  expect(search.body.companies).toEqual([]);
  const back = await subscriber.lookUp({ domains: ['northwind4.example'] });
  expect(back.body.companies[0]?.domains).toEqual([{ id: expect.any(Number), hostname: 'northwind4.example' }]);
});

test('an observation that is withdrawn is not found', async () => {
  const subscriber = await createSubscriber(stack);
  const id = recorded.observations.o5 ?? 0;
  const found = await subscriber.request('GET', `/api/observations/${id}`);
  expect(found.body.observation).toMatchObject({ id, company: { id: recorded.companies.c5 } });
  await stack.record.withdrawEvidence({ observationId: BigInt(id), reason: 'test' });
  const gone = await subscriber.request('GET', `/api/observations/${id}`);
  await stack.record.restoreEvidence({ observationId: BigInt(id) });
  expect([gone.status, gone.body.error.code]).toEqual([404, 'observation_not_found']);
});
