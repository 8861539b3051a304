import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

let stack: TestStack;

/** GET /api/usages/{id} allows five calls a second for each operation. */
const POLLING = { timeout: 60_000, interval: 250 };

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(4, 'data centre');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

test('a background search is pending with zeros, then delivered with the result, and is charged once', async () => {
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const accepted = await subscriber.search({ query: 'data centre', background: true }, key);
  expect(accepted.status).toBe(202);
  expect(Object.keys(accepted.body).sort()).toEqual(['request_allowance', 'usage']);
  expect(accepted.body.usage).toMatchObject({ request_key: key, request_units: 0, delivered_units: 0 });
  expect(accepted.headers.get('location')).toBe(`/api/usages/${accepted.body.usage.id}`);
  expect(accepted.headers.get('retry-after')).toBe('2');
  await expect.poll(async () => (await subscriber.poll(accepted.body.usage.id)).status, POLLING).toBe(200);
  const polled = await subscriber.poll(accepted.body.usage.id);
  expect(polled.body.usage).toMatchObject({ status: 'delivered', request_units: 1, delivered_units: 4 });
  expect(polled.body.companies).toHaveLength(4);
  expect((await subscriber.search({ query: 'data centre', background: true }, key)).body).toEqual(polled.body);
  expect((await subscriber.search({ query: 'data centre' }, key)).body).toEqual(polled.body);
  expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 1, delivered_units: 4 });
});

test('states are only ever seen in order', async () => {
  const subscriber = await createSubscriber(stack);
  const order = ['pending', 'processing', 'delivered'];
  const accepted = await subscriber.search({ query: 'data centre', background: true });
  const seen: number[] = [order.indexOf(accepted.body.usage.status)];
  await expect
    .poll(async () => {
      const { status } = (await subscriber.poll(accepted.body.usage.id)).body.usage;
      seen.push(order.indexOf(status));
      return status;
    }, POLLING)
    .toBe('delivered');
  expect(seen).toEqual([...seen].sort());
});

test('a failure in the background is found by the poll and by the retry', async () => {
  const subscriber = await createSubscriber(stack, { testMode: true, plan: 'builder' });
  const key = randomUUID();
  const accepted = await subscriber.search({ query: 'sandbox:failed', background: true }, key);
  expect(accepted.status).toBe(202);
  await expect.poll(async () => (await subscriber.poll(accepted.body.usage.id)).status, POLLING).toBe(422);
  const polled = await subscriber.poll(accepted.body.usage.id);
  expect(polled.body.error.code).toBe('search_failed');
  expect(polled.body.usage).toMatchObject({ status: 'failed', request_units: 0 });
  expect((await subscriber.search({ query: 'sandbox:failed', background: true }, key)).body).toEqual(polled.body);
});

test('another account cannot distinguish an operation from one that never existed', async () => {
  const [owner, stranger] = [await createSubscriber(stack), await createSubscriber(stack)];
  const { body } = await owner.search({ query: 'data centre' });
  const [foreign, absent] = [await stranger.poll(body.usage.id), await stranger.poll(987_654_321)];
  expect([foreign.status, foreign.body]).toEqual([absent.status, absent.body]);
  expect(foreign.body.error.code).toBe('usage_not_found');
});
