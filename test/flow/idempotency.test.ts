import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE } from '../lab/load/subscribers.ts';
import { letTimePass } from '../support/let-time-pass.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '../support/volume.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ env: NO_FLOOD_LIMITS });
  const { companies, observations } = facilities(6, 'battery plant');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

test('an identical retry returns the same result, says so, and adds no charge', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const first = await subscriber.search({ query: 'battery plant', limit: 4 }, key);
  expect(first.status).toBe(200);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(first.body.companies).toHaveLength(4);
  const again = await subscriber.search({ query: 'battery plant', limit: 4 }, key);
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  const { body } = await subscriber.report();
  expect(body.usage).toMatchObject({ request_units: 1, delivered_units: 4 });
});

test('inputs that mean the same are the same operation', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const filters = { countries: ['US', 'CA'], domains: ['Northwind1.example.', 'northwind2.example'] };
  const first = await subscriber.search({ query: '  battery   plant ', filters }, key);
  const reordered = { domains: ['northwind2.example', 'northwind1.example'], countries: ['CA', 'US', 'CA'], kinds: [] };
  const again = await subscriber.search({ query: 'battery plant', filters: reordered }, key);
  expect(first.status).toBe(200);
  expect(again.body).toEqual(first.body);
});

test('the same key with other inputs conflicts, and the first operation stays unchanged', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const first = await subscriber.search({ query: 'battery plant' }, key);
  const other = await subscriber.search({ query: 'battery plants' }, key);
  expect(other.status).toBe(422);
  expect(other.body.error.code).toBe('idempotency_conflict');
  expect((await subscriber.search({ query: 'battery plant' }, key)).body).toEqual(first.body);
});

test('a refused input creates nothing, spends nothing and leaves the key free', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  for (const body of [
    { query: ' ' },
    { query: 'x', limit: 0 },
    { query: 'x', limit: 51 },
    { query: 'x', cursor: 'no' },
  ]) {
    const refused = await subscriber.search(body, key);
    expect(refused.status).toBe(422);
    expect(refused.body).not.toHaveProperty('usage');
  }
  expect((await subscriber.search({ query: 'battery plant' }, key)).status).toBe(200);
  expect((await subscriber.report()).body.usage.request_units).toBe(1);
});

const KEYS = volumeOf(4, 200, 10);

test(
  `${KEYS} keys, each at once and twice in every action, name one operation an action`,
  async () => {
    const subscriber = await createSubscriber(stack, { limits: AMPLE });
    const [query, domains] = ['battery plant', ['northwind1.example']];
    const post = (path: string, json: unknown, key: string) => subscriber.request('POST', path, { json, key });
    for (let made = 0; made < KEYS; made += 1) {
      const key = randomUUID();
      const everyAction = () => [
        subscriber.search({ query, limit: 1 }, key),
        subscriber.lookUp({ domains }, key),
        post('/api/observations/search', { query, limit: 1 }, key),
        post('/api/observations/lookup', { domains, since: '2020-01-01T00:00:00Z' }, key),
        post('/api/diagnostics', {}, key),
      ];
      const [first, again] = await Promise.all([Promise.all(everyAction()), Promise.all(everyAction())]);
      for (const { status, body } of [...first, ...again]) expect([200, 202], JSON.stringify(body)).toContain(status);
      const ids = first.map(({ body }) => body.usage.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(again.map(({ body }) => body.usage.id)).toEqual(ids);
    }
    await expect.poll(async () => (await subscriber.report()).body.reservations.request_units).toBe(0);
    const { usage } = (await subscriber.report()).body;
    expect(usage).toMatchObject({ request_units: 4 * KEYS, delivered_units: 4 * KEYS });
  },
  VOLUME_TIMEOUT_MS,
);

test('a search that names no cutoff is the same operation a day and an hour later', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const first = await subscriber.search({ query: 'battery plant', limit: 2 }, key);
  await letTimePass(stack, first.body.usage.id, '25 hours');
  const again = await subscriber.search({ query: 'battery plant', limit: 2 }, key);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(again.body).toEqual(first.body);
  expect((await subscriber.report()).body.usage.request_units).toBe(1);
});

test('one key of two accounts names two operations', async () => {
  const key = randomUUID();
  const [one, two] = [await createSubscriber(stack), await createSubscriber(stack)];
  const first = await one.search({ query: 'battery plant' }, key);
  const second = await two.search({ query: 'something else' }, key);
  expect(second.status).toBe(200);
  expect(second.body.usage.id).not.toBe(first.body.usage.id);
  expect((await two.poll(first.body.usage.id)).body.error.code).toBe('usage_not_found');
});

test('twenty simultaneous identical submits, in front and in the background, are one operation and one charge', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      subscriber.search({ query: 'battery plant', limit: 3, background: index % 2 === 0 }, key),
    ),
  );
  for (const answer of answers) expect([200, 202]).toContain(answer.status);
  const ids = new Set(answers.map((answer) => answer.body.usage.id));
  expect(ids.size).toBe(1);
  await expect.poll(async () => (await subscriber.search({ query: 'battery plant', limit: 3 }, key)).status).toBe(200);
  const { body } = await subscriber.report();
  expect(body.usage).toMatchObject({ request_units: 1, delivered_units: 3 });
  expect(body.reservations).toEqual({ request_units: 0, delivered_units: 0 });
});

test('of racers with different inputs one wins, and nothing of the others is written', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const queries = Array.from({ length: 10 }, (_, index) => `battery plant number ${index % 3}`);
  const answers = await Promise.all(queries.map((query) => subscriber.search({ query }, key)));
  const won = answers.filter((answer) => answer.status === 200);
  expect(new Set(won.map((answer) => answer.body.companies[0]?.match.query)).size).toBeLessThanOrEqual(1);
  expect(new Set(won.map((answer) => answer.body.usage.id)).size).toBe(1);
  for (const answer of answers) if (answer.status !== 200) expect(answer.body.error.code).toBe('idempotency_conflict');
  expect((await subscriber.report()).body.usage.request_units).toBe(1);
});

test('a retry is answered even when the plan has become too small for it', async () => {
  const subscriber = await createSubscriber(stack, { plan: 'professional' });
  const key = randomUUID();
  const first = await subscriber.search({ query: 'battery plant', limit: 40 }, key);
  expect(first.status).toBe(200);
  await stack.ledgerAdmin.updateSubscription({ subscriptionId: subscriber.subscriptionId, plan: 'builder' });
  const again = async () => (await subscriber.search({ query: 'battery plant', limit: 40 }, key)).body;
  await expect.poll(again).toMatchObject({ usage: first.body.usage, companies: first.body.companies });
  await expect
    .poll(async () => (await subscriber.search({ query: 'battery plant', limit: 40 })).body.error?.code, {
      timeout: 60_000,
    })
    .toBe('invalid_search');
});

test('a stored failure replays for the same key, with usage in zeros, and costs nothing', async () => {
  const subscriber = await createSubscriber(stack, { testMode: true, plan: 'builder' });
  const key = randomUUID();
  const first = await subscriber.search({ query: 'sandbox:planning_unavailable' }, key);
  expect(first.status).toBe(422);
  expect(first.body.error.code).toBe('planning_unavailable');
  expect(first.body.usage).toMatchObject({
    status: 'failed',
    request_units: 0,
    delivered_units: 0,
    fresh_evidence_units: 0,
  });
  const again = await subscriber.search({ query: 'sandbox:planning_unavailable' }, key);
  expect(again.body).toEqual(first.body);
  expect((await subscriber.poll(first.body.usage.id)).body.error).toEqual(first.body.error);
  const { body } = await subscriber.report();
  expect(body.usage.request_units).toBe(0);
  expect(body.reservations).toEqual({ request_units: 0, delivered_units: 0 });
});
