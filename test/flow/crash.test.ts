import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashPoint } from '@ces/operations/crash-points';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../support/record.ts';
import { CRASHING_MAIN, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { type Environment, startGatewayBefore, startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber, surface } from '../support/subscriber.ts';
import { someOf } from '../support/volume.ts';

let stack: TestStack;

/** Short times, so that the surviving process takes over within seconds. */
const SHORT = {
  CES_OPERATIONS_LEASE_MS: '1500',
  CES_OPERATIONS_HEARTBEAT_MS: '400',
  CES_OPERATIONS_SWEEP_INTERVAL_MS: '300',
  CES_LEAD_LEASE_MS: '900',
  CES_LEAD_RENEWAL_MS: '300',
};

beforeAll(async () => {
  stack = await startTestStack({ env: SHORT });
  const { companies, observations } = facilities(5, 'steel works');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

const searchPoints: CrashPoint[] = [
  'accept.inserted',
  'accept.reserved',
  'run.begun',
  'run.searched',
  'run.before_stored',
  'run.stored',
  'settle.before',
  'settle.after',
  'deliver.before_marked',
];
const chargePoints: CrashPoint[] = [
  'charge.before_insert',
  'charge.inserted',
  'charge.replied',
  'deliver.before_marked',
];

/**
 * Starts an operations process that crashes, with its own gateway. The stack's own operations
 * survives and sweeps.
 */
async function startDoomed(
  point: CrashPoint,
  env: Environment = {},
): Promise<{ doomed: ServiceProcess; baseUrl: string } & AsyncDisposable> {
  const cleanup = new AsyncDisposableStack();
  const doomed = cleanup.use(
    await startServiceProcess(
      'operations',
      { ...stack.environmentOf('operations'), ...env, CES_CRASH_AT: point },
      CRASHING_MAIN,
    ),
  );
  const gateway = cleanup.use(await startGatewayBefore(stack, doomed.url));
  return { doomed, baseUrl: gateway.url, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

async function endsOnce(subscriber: Subscriber, retry: () => Promise<Answer>, delivered: number): Promise<void> {
  await expect.poll(async () => (await retry()).status, { timeout: 60_000, interval: 200 }).toBe(200);
  const { body } = await retry();
  expect(body.usage).toMatchObject({ status: 'delivered', request_units: 1, delivered_units: delivered });
  expect(body.companies).toHaveLength(delivered);
  expect(body.withheld_units).toBe(0);
  const report = (await subscriber.report()).body;
  expect(report.usage).toMatchObject({ request_units: 1, delivered_units: delivered });
  await expect
    .poll(async () => (await subscriber.report()).body.reservations)
    .toEqual({ request_units: 0, delivered_units: 0 });
  expect((await stack.ledgerAdmin.verifyLedger({})).differences).toEqual([]);
}

test.each(someOf(searchPoints, 3))(
  'a search whose executor dies at %s is delivered and charged once',
  async (point) => {
    await using crash = await startDoomed(point);
    const subscriber = await createSubscriber(stack);
    const key = randomUUID();
    const doomed = surface(crash.baseUrl, subscriber.token);
    await doomed.search({ query: 'steel works', limit: 3 }, key).catch(() => undefined);
    expect(await crash.doomed.ended).toBe('SIGKILL');
    await endsOnce(subscriber, () => subscriber.search({ query: 'steel works', limit: 3 }, key), 3);
  },
);

test.each(someOf(chargePoints, 1))(
  'a look-up whose executor dies at %s is delivered and charged once',
  async (point) => {
    await using crash = await startDoomed(point);
    const subscriber = await createSubscriber(stack);
    const key = randomUUID();
    const domains = ['northwind1.example', 'northwind2.example', 'nobody.example'];
    const doomed = surface(crash.baseUrl, subscriber.token);
    await doomed.lookUp({ domains }, key).catch(() => undefined);
    expect(await crash.doomed.ended).toBe('SIGKILL');
    await endsOnce(subscriber, () => subscriber.lookUp({ domains }, key), 2);
  },
);

test('an operation accepted by a dead process ends by itself, without a call', async () => {
  await using crash = await startDoomed('run.searched');
  let subscriber = await createSubscriber(stack);
  const submit = () =>
    surface(crash.baseUrl, subscriber.token).search({ query: 'steel works', limit: 3, background: true });
  const pointsOf = async () => {
    const { operations } = await stack.operationsAdmin.listOperations({ accountId: subscriber.accountId });
    return operations.map(({ point }) => point);
  };
  const hasDied = () => crash.doomed.child.signalCode !== null;
  let accepted = await submit();
  // Any process may run the operation: submit more until the doomed one does.
  for (let tries = 0; tries < 20; tries += 1) {
    await expect.poll(async () => hasDied() || (await pointsOf())[0] === 'delivered').toBe(true);
    if (hasDied()) break;
    subscriber = await createSubscriber(stack);
    accepted = await submit();
  }
  expect(hasDied()).toBe(true);
  await expect.poll(pointsOf, { timeout: 60_000, interval: 200 }).toEqual(['delivered']);
  expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 1, delivered_units: 3 });
  if (accepted.status === 202) expect((await subscriber.poll(accepted.body.usage.id)).status).toBe(200);
});

test('a process that dies right after it published leaves its jobs to the process that consumes the message', async () => {
  await using crash = await startDoomed('outbox.published', { CES_OPERATIONS_WORKERS: '0' });
  const body = { query: 'steel works', limit: 3, background: true };
  const key = randomUUID();
  let ended: string | undefined;
  // Any process may publish the message: submit more until the doomed one does.
  for (let tries = 0; ended === undefined && tries < 10; tries += 1) {
    const subscriber = await createSubscriber(stack);
    await surface(crash.baseUrl, subscriber.token)
      .search(body, key)
      .catch(() => undefined);
    ended = await Promise.race([crash.doomed.ended.then(String), pause(1_000, undefined)]);
    await endsOnce(subscriber, () => subscriber.search(body, key), 3);
  }
  expect(ended).toBe('SIGKILL');
});

test.each(someOf(['sweep.before_release', 'sweep.after_release'] as const, 1))(
  'a sweeper that dies at %s leaves a failure that another one finishes, with nothing held',
  async (point) => {
    const subscriber = await createSubscriber(stack, { testMode: true, plan: 'builder' });
    await using crash = await startDoomed(point);
    const doomed = surface(crash.baseUrl, subscriber.token);
    const key = randomUUID();
    await doomed.search({ query: 'sandbox:failed' }, key).catch(() => undefined);
    expect(await crash.doomed.ended).toBe('SIGKILL');
    const retry = () => subscriber.search({ query: 'sandbox:failed' }, key);
    await expect
      .poll(async () => (await retry()).body.error?.code, { timeout: 60_000, interval: 200 })
      .toBe('search_failed');
    const report = (await subscriber.report()).body;
    expect(report.reservations).toEqual({ request_units: 0, delivered_units: 0 });
    expect(report.usage.request_units).toBe(0);
  },
);
