import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { letTimePass } from '../support/let-time-pass.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({ env: { CES_OPERATIONS_SWEEP_INTERVAL_MS: '200' } });
});
afterAll(() => stack[Symbol.asyncDispose]());

/** GET /api/usages/{id} allows five calls a second. */
const POLLING = { timeout: 60_000, interval: 300 };

test('an operation past its time expires, holds nothing, and its key gets the same answer forever', async () => {
  const subscriber = await createSubscriber(stack, { testMode: true, plan: 'builder' });
  const key = randomUUID();
  const accepted = await subscriber.search({ query: 'sandbox:slow', background: true }, key);
  const { id } = accepted.body.usage;
  await letTimePass(stack, id, '1 hour');
  await expect.poll(async () => (await subscriber.poll(id)).status, POLLING).toBe(422);
  const { body } = await subscriber.poll(id);
  expect(body.error.code).toBe('usage_expired');
  expect(body.usage).toMatchObject({ status: 'failed', request_units: 0, delivered_units: 0 });
  expect((await subscriber.search({ query: 'sandbox:slow', background: true }, key)).body).toEqual(body);
  const report = (await subscriber.report()).body;
  expect(report.reservations).toEqual({ request_units: 0, delivered_units: 0 });
  expect(report.usage.request_units).toBe(0);
});
