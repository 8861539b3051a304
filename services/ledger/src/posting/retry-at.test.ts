import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  letTimePass,
  type Subscriber,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import type { Refusal } from '../allowance/refusal.ts';
import { readSnapshot } from '../db/balance-snapshot.ts';
import { findSubscription } from '../db/subscription.ts';
import { createPostings, type Postings } from './postings.ts';

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** Shifts the past so that the last entry is `ms` milliseconds after a whole second. */
async function alignLastEntry(subscriptionId: bigint, ms: number): Promise<void> {
  const { rows } = await ledger.owner.query<{ fraction: number }>(
    `select extract(epoch from max(settled_at) - date_trunc('second', max(settled_at)))::numeric as fraction
     from entry where subscription_id = $1`,
    [subscriptionId],
  );
  await letTimePass(ledger.owner, subscriptionId, 1 + Number(rows[0]?.fraction) - ms / 1_000);
}

async function secondsUntil(instant: Date): Promise<number> {
  const { rows } = await ledger.owner.query<{ seconds: number }>(
    'select extract(epoch from $1::timestamptz - clock_timestamp()) as seconds',
    [instant],
  );
  return Number(rows[0]?.seconds);
}

/**
 * Expects a refusal one second before `retry_at` and an admission at it. The last entry must be
 * just before a whole second.
 */
async function expectExactly(subscriber: Subscriber, deliveredUnits: number): Promise<void> {
  const { hold } = await postings.admit(admission('charge', subscriber, deliveredUnits));
  const { retryAt, retryAfterSeconds } = hold.refusal ?? {};
  if (!retryAt) throw new Error(`no retry_at: ${hold.refusal?.message}`);
  expect(retryAt.getMilliseconds()).toBe(0);
  expect(hold.refusal?.message).toContain(retryAt.toISOString());
  const seconds = await secondsUntil(retryAt);
  expect(Number(retryAfterSeconds) - seconds).toBeGreaterThanOrEqual(0);
  expect(Number(retryAfterSeconds) - seconds).toBeLessThan(2);
  await letTimePass(ledger.owner, subscriber.subscriptionId, seconds - 1);
  expect((await postings.admit(admission('charge', subscriber, deliveredUnits))).hold.state).toBe('refused');
  await letTimePass(ledger.owner, subscriber.subscriptionId, 1);
  expect((await postings.admit(admission('charge', subscriber, deliveredUnits))).hold.state).toBe('posted');
}

test('without holds, a call is refused one second before retry_at and admitted at it', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowSeconds: 3_600n, windowRequestUnits: 3n });
  await postings.admit(admission('charge', subscriber));
  await alignLastEntry(subscriber.subscriptionId, 999);
  await letTimePass(ledger.owner, subscriber.subscriptionId, 100);
  for (const _ of [1, 2]) await postings.admit(admission('charge', subscriber));
  await expectExactly(subscriber, 0);
});

test('retry_at waits until enough delivered units have left, not only the oldest entry', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowSeconds: 3_600n, windowDeliveredUnits: 10n });
  for (const deliveredUnits of [2, 3]) {
    await postings.admit(admission('charge', subscriber, deliveredUnits));
    await letTimePass(ledger.owner, subscriber.subscriptionId, 100);
  }
  await postings.admit(admission('charge', subscriber, 4));
  await alignLastEntry(subscriber.subscriptionId, 999);
  const { hold } = await postings.admit(admission('charge', subscriber, 7));
  expect(hold.refusal?.admissibleDeliveredUnits).toBe(1n);
  await expectExactly(subscriber, 7);
});

test('retry_at is the latest of the exceeded limits', async () => {
  const subscriber = await createSubscriber(ledger.pool, {
    ...{ windowSeconds: 60n, windowRequestUnits: 1n, weekRequestUnits: 1n },
  });
  await postings.admit(admission('charge', subscriber));
  await alignLastEntry(subscriber.subscriptionId, 999);
  const { hold } = await postings.admit(admission('charge', subscriber));
  expect(hold.refusal?.message).toContain('rolling week leaves 0 of 1 request units');
  expect(hold.refusal?.retryAfterSeconds).toBeGreaterThan(604_000n);
  await expectExactly(subscriber, 0);
});

test('a limit of the period is free when the period ends, and the period rolls by itself', async () => {
  const subscriber = await createSubscriber(ledger.pool, { periodRequestUnits: 1n });
  const { subscriptionId } = subscriber;
  await postings.admit(admission('charge', subscriber));
  await ledger.owner.query(
    `update subscription
     set period_anchor = (date_trunc('second', clock_timestamp() at time zone 'UTC') + interval '2 seconds'
                          - interval '48 months') at time zone 'UTC'
     where id = $1`,
    [subscriptionId],
  );
  const periodEnd = (await findSubscription(ledger.pool, subscriptionId))?.currentPeriodEnd;
  const refused = await chargeUntilAdmitted(subscriber);
  expect(refused.length).toBeGreaterThan(0);
  for (const { message, retryAt } of refused) {
    expect(message).toContain('current period leaves 0 of 1 request units');
    expect(retryAt).toEqual(periodEnd);
  }
  const { rows } = await ledger.owner.query<{ refused_before: boolean; settled_after: boolean }>(
    `select (select max(created_at) from hold where subscription_id = $1 and state = 'refused') < $2 as refused_before,
            (select max(settled_at) from entry where subscription_id = $1) >= $2 as settled_after`,
    [subscriptionId, periodEnd],
  );
  expect(rows).toEqual([{ refused_before: true, settled_after: true }]);
  const current = await readSnapshot(ledger.pool, subscriptionId);
  expect(current).toMatchObject({
    periodStart: periodEnd,
    balance: { intervals: { period: { settled: units(1, 0) } } },
  });
});

async function chargeUntilAdmitted(subscriber: Subscriber): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
    const { hold } = await postings.admit(admission('charge', subscriber));
    if (!hold.refusal) return refusals;
    refusals.push(hold.refusal);
  }
  throw new Error('nothing was admitted');
}

test('while holds block, retry_at is an estimate at least five seconds in the future', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowSeconds: 60n, windowRequestUnits: 1n });
  await postings.admit(admission('reserve', subscriber));
  const { hold } = await postings.admit(admission('reserve', subscriber));
  expect(hold.refusal?.retryAfterSeconds).toBeGreaterThanOrEqual(5n);
  expect(hold.refusal?.retryAfterSeconds).toBeLessThanOrEqual(6n);
});

test('settled units that block together with holds move the estimate to when they leave', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowSeconds: 600n, windowDeliveredUnits: 10n });
  await postings.admit(admission('charge', subscriber, 6));
  await postings.admit(admission('reserve', subscriber, 2));
  const blocked = await postings.admit(admission('reserve', subscriber, 3));
  expect(blocked.hold.refusal?.retryAfterSeconds).toBeLessThanOrEqual(6n);
  const settled = await postings.admit(admission('reserve', subscriber, 5));
  expect(settled.hold.refusal?.retryAfterSeconds).toBeGreaterThan(590n);
});

test('a call that could never be admitted has no retry_at, and learns how many units would be admitted', async () => {
  const subscriber = await createSubscriber(ledger.pool, { weekDeliveredUnits: 20n });
  await postings.admit(admission('charge', subscriber, 5));
  const { hold } = await postings.admit(admission('reserve', subscriber, 25));
  expect(hold.refusal).toMatchObject({ code: 'request_limit_reached', admissibleDeliveredUnits: 15n });
  expect(hold.refusal).not.toHaveProperty('retryAt');
  expect(hold.refusal).not.toHaveProperty('retryAfterSeconds');
  expect(hold.refusal?.message).toBe(
    'The rolling week leaves 15 of 20 delivered units and this call may need 25; it can never be admitted as it is.',
  );
  expect((await postings.admit(admission('reserve', subscriber, 15))).hold.state).toBe('held');
});

test('refusals that share a commit with charges wait for those charges too', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowSeconds: 60n, windowRequestUnits: 3n });
  const results = await Promise.all([...Array(8)].map(() => postings.admit(admission('charge', subscriber))));
  const refused = results.filter(({ hold }) => hold.state === 'refused');
  expect(refused).toHaveLength(5);
  for (const { hold } of refused) expect(hold.refusal?.retryAfterSeconds).toBeGreaterThanOrEqual(59n);
});

test('retry_at counts from the clock of the database, even when it was set back by an hour', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowSeconds: 3_600n, windowRequestUnits: 2n });
  const settled = await postings.admit(admission('charge', subscriber));
  await postings.admit(admission('reserve', subscriber));
  await letTimePass(ledger.owner, subscriber.subscriptionId, -3_600);
  const blocked = await postings.admit(admission('charge', subscriber));
  expect(Number(blocked.hold.refusal?.retryAfterSeconds)).toBeLessThanOrEqual(6);
  expect(await secondsUntil(blocked.hold.refusal?.retryAt ?? new Date(0))).toBeLessThanOrEqual(6);
  const { balance } = await readNow(subscriber.subscriptionId);
  expect(Math.abs(Number(balance.intervals.window.resetSeconds) - 7_200)).toBeLessThan(60);
  expect(settled.hold.state).toBe('posted');
});

async function readNow(subscriptionId: bigint) {
  const snapshot = await readSnapshot(ledger.pool, subscriptionId);
  if (!snapshot) throw new Error('no subscription');
  return snapshot;
}
