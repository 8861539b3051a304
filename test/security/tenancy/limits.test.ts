import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { settings } from '@ces/gateway/config';
import { start } from '@ces/gateway/start';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createSubscriber, type Subscriber, surface } from '../../support/subscriber.ts';

/** One account's load on a gateway must not affect another account. */
const FEW_IN_FLIGHT = { CES_ACCOUNT_CALLS_IN_FLIGHT: '3' };
const FEW_A_SECOND = { CES_CREDENTIAL_CALLS_PER_SECOND: '1', CES_CREDENTIAL_BURST: '3' };
/** Concurrent calls: more than any machine can finish before as many tokens are refilled. */
const CROWD = 40;

/** Refusals are answered without delay, so that no token is refilled meanwhile. */
const PROMPT = { CES_REJECTION_DELAY_MS: '0' };

const cleanup = new AsyncDisposableStack();
let stack: TestStack;

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: { CES_OPERATIONS_SANDBOX_SLOW_MS: '2000', ...PROMPT } }));
});
afterAll(() => cleanup.disposeAsync());

async function gatewayWith(limits: Readonly<Record<string, string>>) {
  const config = readSettings(settings, { ...stack.environmentOf('gateway'), ...limits, ...PROMPT });
  const { url } = cleanup.use(await start(config, createLogger('test', 'silent')));
  return ({ token }: Subscriber) => surface(url, token);
}

const sandbox = () => createSubscriber(stack, { plan: 'builder', testMode: true });

test('calls in flight are counted by account', async () => {
  const at = await gatewayWith(FEW_IN_FLIGHT);
  const [busy, other] = [await sandbox(), await sandbox()];
  const slow = Array.from({ length: 3 }, () => at(busy).search({ query: 'sandbox:slow' }));
  await expect.poll(async () => (await at(busy).report()).status, { interval: 20 }).toBe(503);
  expect((await at(other).report()).status).toBe(200);
  for (const answer of await Promise.all(slow)) expect(answer.status).toBeLessThan(300);
});

test('calls a second are counted by credential', async () => {
  const at = await gatewayWith(FEW_A_SECOND);
  const [busy, other] = [await createSubscriber(stack), await createSubscriber(stack)];
  const answers = await Promise.all(Array.from({ length: CROWD }, () => at(busy).report()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect((await at(other).report()).status).toBe(200);
});

test("polls are counted by account and operation: no other account can use up an operation's polls", async () => {
  const [owner, stranger] = [await createSubscriber(stack), await createSubscriber(stack)];
  const { body } = await owner.lookUp({ domains: ['nobody.example'] });
  const polls = await Promise.all(Array.from({ length: 20 }, () => stranger.poll(body.usage.id)));
  expect(new Set(polls.map(({ status }) => status))).toEqual(new Set([404, 429]));
  expect((await owner.poll(body.usage.id)).status).toBe(200);
});
