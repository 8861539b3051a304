import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { settings } from '@ces/gateway/config';
import { start } from '@ces/gateway/start';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createSubscriber, type Subscriber, surface } from '../../support/subscriber.ts';

/** What one account may do to a gateway must not be felt by another. */
const LOW = { CES_ACCOUNT_CALLS_IN_FLIGHT: '3', CES_CREDENTIAL_CALLS_PER_SECOND: '1', CES_CREDENTIAL_BURST: '30' };

/** Refusals are answered at once: what was used up is not there again by then. */
const PROMPT = { CES_REFUSAL_HOLD_MS: '0' };

const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let gateway: string;

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: { CES_OPERATIONS_SANDBOX_SLOW_MS: '2000', ...PROMPT } }));
  const config = readSettings(settings, { ...stack.environmentOf('gateway'), ...LOW, ...PROMPT });
  gateway = cleanup.use(await start(config, createLogger('test', 'silent'))).url;
});
afterAll(() => cleanup.disposeAsync());

const at = ({ token }: Subscriber) => surface(gateway, token);
const sandbox = () => createSubscriber(stack, { plan: 'builder', testMode: true });

test('calls in flight are counted by account', async () => {
  const [busy, other] = [await sandbox(), await sandbox()];
  const slow = Array.from({ length: 3 }, () => at(busy).search({ query: 'sandbox:slow' }));
  await expect.poll(async () => (await at(busy).report()).status, { interval: 20 }).toBe(503);
  expect((await at(other).report()).status).toBe(200);
  for (const answer of await Promise.all(slow)) expect(answer.status).toBeLessThan(300);
});

test('calls a second are counted by credential', async () => {
  const [busy, other] = [await createSubscriber(stack), await createSubscriber(stack)];
  await expect.poll(async () => (await at(busy).report()).status, { interval: 1, timeout: 10_000 }).toBe(429);
  expect((await at(other).report()).status).toBe(200);
});

test("polls are counted by account and operation: no other account can use up an operation's polls", async () => {
  const [owner, stranger] = [await createSubscriber(stack), await createSubscriber(stack)];
  const { body } = await owner.lookUp({ domains: ['nobody.example'] });
  const polls = await Promise.all(Array.from({ length: 20 }, () => stranger.poll(body.usage.id)));
  expect(new Set(polls.map(({ status }) => status))).toEqual(new Set([404, 429]));
  expect((await owner.poll(body.usage.id)).status).toBe(200);
});
