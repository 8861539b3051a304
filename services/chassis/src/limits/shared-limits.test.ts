import { setTimeout as pause, setImmediate as untilAsked } from 'node:timers/promises';
import type { TakeRequest, TakeResponse } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { SharedLimits } from './shared-limits.ts';
import { TokenBuckets } from './token-buckets.ts';

const RATE = { perSecond: 50, burst: 100 };
const OVERDRAFT = { overdraft: true };
/** Longer than the batch window, in milliseconds. */
const GATHERED_MS = 250;
const logger = createLogger('test', 'silent');

type Requests = Pick<TakeRequest, 'calls' | 'slots'>;

function installation(processes = 1) {
  const clock = { ms: 10_000 };
  const now = () => clock.ms;
  const buckets = new TokenBuckets(1_000, now);
  const asked: Requests[] = [];
  const take = async (request: unknown) => {
    const requests = request as Requests & { calls?: Requests['calls']; slots?: Requests['slots'] };
    asked.push(requests);
    const calls = (requests.calls ?? []).map(({ owner, needed, prefetch, perSecond, burst }) => {
      let taken = 0;
      let waitMs = 0;
      while (taken < needed + prefetch && waitMs === 0) {
        waitMs = buckets.take(owner, { perSecond, burst });
        if (waitMs === 0) taken += 1;
      }
      if (waitMs === 0) waitMs = buckets.take(owner, { perSecond, burst });
      if (waitMs === 0) buckets.refund(owner);
      return { taken, waitMs };
    });
    const slots = (requests.slots ?? []).map(({ wanted }) => ({ slots: wanted }));
    return { calls, slots } as unknown as TakeResponse;
  };
  const all = Array.from({ length: processes }, () => new SharedLimits({ take, now, logger }));
  onTestFinished(async () => {
    for (const limits of all) await limits[Symbol.asyncDispose]();
  });
  return { clock, asked, all, limits: all[0] as SharedLimits };
}

test('requests without a waiting caller are sent together after a pause', async () => {
  const { asked, limits } = installation();
  for (let n = 0; n < 200; n += 1) {
    expect(await limits.takeCall(`credential/${n}`, RATE, OVERDRAFT)).toBe(0);
    const leave = await limits.enter(`account/${n}`, 8);
    if (n % 2 === 0) leave?.();
  }
  expect(asked).toEqual([]);
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]?.calls.map(({ needed }) => needed)).toEqual(Array(200).fill(1));
  expect(asked[0]?.slots).toHaveLength(100);
});

test('a request with a waiting caller is sent at once, with all collected ones', async () => {
  const { asked, limits } = installation();
  await limits.takeCall('credential/1', RATE, OVERDRAFT);
  await limits.enter('account/1', 8);
  expect(await limits.takeCall('address/1', RATE, { overdraft: false })).toBe(0);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.calls.map(({ owner }) => owner).toSorted()).toEqual(['address/1', 'credential/1']);
  expect(asked[0]?.slots).toHaveLength(1);
  await limits.takeCall('credential/1', RATE, OVERDRAFT);
  expect(asked).toHaveLength(1);
  // The first call is on overdraft, so the second waits.
  expect(await limits.takeCall('credential/1', RATE, OVERDRAFT)).toBe(0);
  expect(asked).toHaveLength(2);
  await pause(GATHERED_MS);
  expect(asked.flatMap(({ calls }) => calls.filter(({ owner }) => owner === 'credential/1'))).toMatchObject([
    { needed: 1 },
    { needed: 2 },
  ]);
});

test('an owner with a call now and then never waits for the ledger', async () => {
  const { clock, asked, limits } = installation();
  for (let n = 0; n < 6; n += 1) {
    const before = asked.length;
    expect(await limits.takeCall('credential/1', RATE, OVERDRAFT)).toBe(0);
    await untilAsked();
    expect(asked).toHaveLength(before);
    await expect.poll(() => asked.length).toBe(before + 1);
    clock.ms += 700;
  }
});

test('calls of a frequent owner are prefetched, so that the number of requests grows only with time', async () => {
  const { clock, asked, limits } = installation();
  for (let n = 0; n < 100; n += 1) {
    expect(await limits.takeCall('credential/1', RATE, OVERDRAFT)).toBe(0);
    clock.ms += 100;
    if (n % 2 === 1) await pause(GATHERED_MS / 2);
  }
  expect(asked.length).toBeLessThanOrEqual(30);
});

test('a call that was made before it was taken is taken in the end: pulses over many processes gain one call each, once', async () => {
  const { clock, all } = installation(12);
  const rate = { perSecond: 10, burst: 12 };
  let letIn = 0;
  for (let n = 0; n < 40; n += 1) {
    const calls = all.flatMap((limits) => [1, 2].map(() => limits.takeCall('credential/pulse', rate, OVERDRAFT)));
    await untilAsked();
    letIn += (await Promise.all(calls)).filter((waitMs) => waitMs === 0).length;
    await pause(GATHERED_MS / 2);
    clock.ms += 500;
  }
  expect(letIn).toBeLessThanOrEqual(rate.burst + 10 * 20 + all.length);
  expect(letIn).toBeGreaterThanOrEqual(10 * 19);
});

test('after a refusal an owner that continues to call causes no request sooner than before', async () => {
  const { clock, asked, limits } = installation();
  const rate = { perSecond: 1, burst: 1 };
  await limits.takeCall('credential/1', rate, OVERDRAFT);
  expect(await limits.takeCall('credential/1', rate, OVERDRAFT)).toBeGreaterThan(0);
  const before = asked.length;
  for (let n = 0; n < 50; n += 1) {
    clock.ms += 1;
    expect(await limits.takeCall('credential/1', rate, OVERDRAFT)).toBeGreaterThan(0);
  }
  await pause(GATHERED_MS);
  expect(asked).toHaveLength(before);
});

test('collected requests are sent before the process ends', async () => {
  const { asked, limits } = installation();
  await limits.takeCall('credential/1', RATE, OVERDRAFT);
  await limits[Symbol.asyncDispose]();
  expect(asked).toMatchObject([{ calls: [{ owner: 'credential/1', needed: 1 }] }]);
});
