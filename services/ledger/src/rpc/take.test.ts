import { setTimeout as pause } from 'node:timers/promises';
import { SharedLimits } from '@ces/chassis/limits/shared-limits';
import { createLogger } from '@ces/chassis/telemetry/log';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';
import { deleteUnusedLimits } from '../call-limits/delete-unused.ts';

const PROCESSES = 12;
const RATE = { perSecond: 50, burst: 100 };
const OVERDRAFT = { overdraft: true };
const logger = createLogger('test', 'silent');

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

function processes(count: number): SharedLimits[] {
  return Array.from({ length: count }, () => {
    const { take } = served.callLimits('gateway');
    const limits = new SharedLimits({ take, now: () => performance.now(), logger });
    onTestFinished(() => limits[Symbol.asyncDispose]());
    return limits;
  });
}

test(`a flood over ${PROCESSES} processes is let in at the rate of one`, async () => {
  const all = processes(PROCESSES);
  const begun = performance.now();
  let [calls, letIn] = [0, 0];
  const isEnough = () => letIn >= 4 * RATE.burst && calls - letIn > 1_000;
  const flood = async (limits: SharedLimits) => {
    while (!isEnough()) {
      calls += 1;
      if ((await limits.takeCall('credential/flood', RATE, OVERDRAFT)) === 0) letIn += 1;
      await pause(2);
    }
  };
  await Promise.all(all.map(flood));
  const may = RATE.burst + (RATE.perSecond * (performance.now() - begun)) / 1_000;
  console.log(`${letIn} of ${calls} calls let in, where one process lets in ${Math.round(may)}`);
  // Each process may have one call in overdraft.
  expect(letIn).toBeLessThanOrEqual(may + PROCESSES);
});

test(`below its rate a credential is never refused, however its calls are spread over ${PROCESSES} processes`, async () => {
  const all = processes(PROCESSES);
  for (let n = 0; n < 150; n += 1) {
    expect(await all[n % PROCESSES]?.takeCall('credential/steady', RATE, OVERDRAFT)).toBe(0);
    await pause(1_000 / 45);
  }
});

test('concurrent calls at many processes share one burst', async () => {
  const all = processes(PROCESSES);
  const rate = { perSecond: 1, perHour: 1, burst: 20 };
  const waits = await Promise.all(
    all.flatMap((limits) => Array.from({ length: 10 }, () => limits.takeCall('address/x', rate, { overdraft: false }))),
  );
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(20);
});

test('a bucket that fills by the hour is exact over many processes, and none keeps calls that others could make', async () => {
  const rate = { perSecond: 1, perHour: 60, burst: 30 };
  const take = (limits: SharedLimits) => limits.takeCall('observations/1', rate, { overdraft: false });
  const letIn = [];
  for (const limits of processes(PROCESSES)) for (let n = 0; n < 5; n += 1) letIn.push(await take(limits));
  expect(letIn.filter((waitMs) => waitMs === 0)).toHaveLength(30);
  const [first, last] = [letIn.find((waitMs) => waitMs > 0), letIn.at(-1)] as [number, number];
  expect(first).toBeLessThanOrEqual(60_000);
  expect(last).toBeGreaterThan(20_000);
  await served.ledger.owner.query(
    "update call_bucket set filled_at = filled_at - interval '60 seconds' where owner = 'observations/1'",
  );
  const [fresh] = processes(1) as [SharedLimits];
  expect([await take(fresh), (await take(fresh)) > 0]).toEqual([0, true]);
});

test('slots of one account are shared and come back', async () => {
  const [one, other] = processes(2) as [SharedLimits, SharedLimits];
  const enter = (limits: SharedLimits) => limits.enter('account/1', 8);
  const left = [];
  for (let n = 0; n < 8; n += 1) left.push(await enter(n % 2 === 0 ? one : other));
  expect(left.filter(Boolean)).toHaveLength(8);
  expect(await enter(one)).toBeUndefined();
  expect(await enter(other)).toBeUndefined();
  left[0]?.();
  left[0]?.();
  await expect.poll(async () => Boolean(await enter(other))).toBe(true);
  expect(await enter(other)).toBeUndefined();
});

test('slots of a silent process expire', async () => {
  const { take } = served.callLimits('gateway');
  const owner = 'account/killed';
  const enterAll = async () =>
    (await take({ holder: crypto.randomUUID(), slots: [{ owner, occupied: 0, wanted: 8, most: 8 }] })).slots[0]?.slots;
  expect(await enterAll()).toBe(8);
  const endIn = (interval: string) =>
    served.ledger.owner.query('update call_slot set until = clock_timestamp() + $1::interval where owner = $2', [
      interval,
      owner,
    ]);
  const enterAllWhileKept = async () => {
    await endIn('4 seconds');
    return await enterAll();
  };
  await expect.poll(enterAllWhileKept).toBe(0);
  await endIn('-1 second');
  expect(await enterAll()).toBe(8);
});

test('a clock of the database that was set back fills no bucket, and frees slots of dead processes', async () => {
  const [limits] = processes(1) as [SharedLimits];
  const rate = { perSecond: 1, burst: 1 };
  const take = () => limits.takeCall('address/clock', rate, { overdraft: false });
  expect([await take(), (await take()) > 0]).toEqual([0, true]);
  await served.ledger.owner.query(
    "update call_bucket set filled_at = filled_at + interval '1 hour' where owner = 'address/clock'",
  );
  await pause(1_100);
  expect(await take()).toBeGreaterThan(0);
  await expect.poll(take).toBe(0);
  await served.ledger.owner.query(
    "insert into call_slot values ('account/clock', gen_random_uuid(), 1, clock_timestamp() + interval '1 hour')",
  );
  const { take: ask } = served.callLimits('gateway');
  const slots = [{ owner: 'account/clock', occupied: 0, wanted: 1, most: 1 }];
  expect((await ask({ holder: crypto.randomUUID(), slots })).slots).toMatchObject([{ slots: 1 }]);
});

test('unused limits are deleted without changing any answer', async () => {
  const { take } = served.callLimits('gateway');
  const { owner, pool } = served.ledger;
  const calls = [{ owner: 'address/old', needed: 1, ...RATE }];
  await take({ holder: crypto.randomUUID(), calls });
  await owner.query("update call_bucket set filled_at = filled_at - interval '2 hours'");
  await owner.query(
    `with buckets as (insert into call_bucket select n || '/old', 1, now() - interval '2 hours' from generate_series(1, 2500) n)
     insert into call_slot values ('account/old', gen_random_uuid(), 1, now() - interval '2 hours')`,
  );
  expect(await deleteUnusedLimits(pool, new AbortController().signal)).toBeGreaterThanOrEqual(2_502);
  const { rows } = await owner.query('select owner from call_bucket union select owner from call_slot');
  expect(rows.filter(({ owner: name }) => name.endsWith('/old'))).toEqual([]);
  expect((await take({ holder: crypto.randomUUID(), calls })).calls).toMatchObject([{ taken: 1, waitMs: 0 }]);
});

test.each([
  { holder: 'me' },
  { holder: crypto.randomUUID(), calls: [{ owner: '', needed: 1, perSecond: 1, burst: 1 }] },
  { holder: crypto.randomUUID(), calls: [{ owner: 'a', needed: 1, perSecond: 0, burst: 1 }] },
  { holder: crypto.randomUUID(), slots: [{ owner: 'a'.repeat(201), wanted: 1, most: 1 }] },
  { holder: crypto.randomUUID(), slots: [{ owner: 'a', wanted: 2_000_000, most: 1 }] },
])('a question that makes no sense is refused: %o', async (request) => {
  await expect(served.callLimits('operations').take(request)).rejects.toThrow('must');
});

test('a service that admits no callers may not take limits', async () => {
  for (const caller of ['search', 'lookup', 'acquisition', 'admin', 'anyone'] as const) {
    const { take } = served.callLimits(caller);
    await expect(take({ holder: crypto.randomUUID() })).rejects.toThrow('may not call');
  }
});
