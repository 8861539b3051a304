import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, surface } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
  await recordCatalogue(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

test('GET /api/usage is the unmetered allowance report of the plan', async () => {
  const subscriber = await createSubscriber(stack, { plan: 'builder' });
  for (let read = 0; read < 2; read += 1) {
    const report = await subscriber.report();
    expectBody(report, 200, 'UsageReport');
    expect(report.body).toMatchObject({
      subscription: { plan: 'builder', status: 'active' },
      usage: { request_units: 0, weekly_request_units: 0, delivered_units: 0, weekly_delivered_units: 0 },
      limits: {
        request_units: 1500,
        weekly_request_units: 500,
        delivered_units: 15_000,
        weekly_delivered_units: 5000,
      },
      reservations: { request_units: 0, delivered_units: 0 },
    });
  }
});

test('the period is one calendar month', async () => {
  const { body } = await (await createSubscriber(stack)).report();
  const start = new Date(body.subscription.current_period_start);
  const end = new Date(body.subscription.current_period_end);
  expect((end.getTime() - start.getTime()) / 86_400_000).toBeGreaterThanOrEqual(28);
  expect((end.getTime() - start.getTime()) / 86_400_000).toBeLessThanOrEqual(31);
});

test('it is shared by all credentials on the subscription', async () => {
  const subscriber = await createSubscriber(stack);
  const { token } = await stack.ledgerAdmin.issueCredential({ accountId: subscriber.accountId, label: 'second' });
  const { usage } = (await subscriber.lookUp({ domains: ['maple.example'] })).body;
  const { body } = await surface(stack.baseUrl, token).report();
  expect(body.usage).toMatchObject({ request_units: usage.request_units, delivered_units: usage.delivered_units });
});

test('it states window and week of request units in RateLimit headers', async () => {
  const { headers } = await (await createSubscriber(stack, { plan: 'builder' })).report();
  expect(headers.get('ratelimit-policy')).toBe('"window";q=60;w=18000, "week";q=500;w=604800');
  expect(headers.get('ratelimit')).toBe('"window";r=60;t=0, "week";r=500;t=0');
});

test('401 and 402 as everywhere', async () => {
  expectRefusal(await surface(stack.baseUrl, 'ces_live_nobody').report(), 401, 'invalid_api_key');
  const canceled = await createSubscriber(stack, { status: 'canceled' });
  expectRefusal(await canceled.report(), 402, 'subscription_required');
});
