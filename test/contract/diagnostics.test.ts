import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

test('a diagnostic is ok, costs nothing, and shows the present subscription, on replay too', async () => {
  const subscriber = await createSubscriber(stack, { plan: 'builder', status: 'trialing' });
  const key = randomUUID();
  const first = await subscriber.request('POST', '/api/diagnostics', { key });
  expectBody(first, 200, 'DiagnosticResult');
  expect(first.body).toMatchObject({
    subscription: { plan: 'builder', status: 'trialing' },
    usage: { status: 'delivered', request_key: key, request_units: 0, delivered_units: 0 },
    request_allowance: { window_remaining: 60, weekly_remaining: 500 },
  });
  await stack.ledgerAdmin.updateSubscription({ subscriptionId: subscriber.subscriptionId, plan: 'professional' });
  const again = await subscriber.request('POST', '/api/diagnostics', { key, json: {} });
  expectBody(again, 200, 'DiagnosticResult');
  expect(again.body.subscription.plan).toBe('professional');
  expect(again.body.usage).toEqual(first.body.usage);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await subscriber.report()).body.usage.request_units).toBe(0);
});

test('it needs a key and takes no field', async () => {
  const subscriber = await createSubscriber(stack);
  expectRefusal(await subscriber.request('POST', '/api/diagnostics', { json: {} }), 422, 'idempotency_key_required');
  const json = { echo: true };
  expectRefusal(await subscriber.request('POST', '/api/diagnostics', { key: 'k', json }), 422, 'invalid_request');
});
