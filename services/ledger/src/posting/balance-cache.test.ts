import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction } from '@ces/chassis/postgres/pool';
import { seeded } from '@ces/test/support/random.ts';
import { printedSeed } from '@ces/test/support/volume.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AMPLE,
  admission,
  createSubscriber,
  createTestLedger,
  type Subscriber,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { NO_UNITS, plus, type Units } from '../allowance/units.ts';
import { lockSubscription, readSnapshot, type SubscriptionSnapshot } from '../db/balance-snapshot.ts';
import { readNextEntries } from '../db/next-entries.ts';
import { readStoredBalance } from '../db/stored-balance.ts';
import { updateSubscription } from '../db/subscription.ts';
import { BalanceCache, unknownAfter } from './balance-cache.ts';
import { createPostings, type Postings } from './postings.ts';
import { reverse } from './reverse.ts';

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

/**
 * Returns the balance that the cache yields. On a miss, fills the cache as a posting does and
 * returns undefined.
 */
async function balanceOf(cache: BalanceCache, id: bigint): Promise<SubscriptionSnapshot | undefined> {
  return await inTransaction(ledger.pool, async (client) => {
    await lockSubscription(client, id);
    const stored = await readStoredBalance(client, id, []);
    if (!stored) throw new Error('there is no such subscription');
    const known = cache.balanceOf(stored);
    if (known) return known;
    const snapshot = await readSnapshot(client, id);
    if (snapshot) cache.store(stored, snapshot, await readNextEntries(client, id, unknownAfter(stored), 0));
    return undefined;
  });
}

async function addUp(id: bigint, { now, tails }: SubscriptionSnapshot) {
  const { rows } = await ledger.pool.query<{
    name: string;
    request_units: bigint;
    delivered_units: bigint;
    fresh_evidence_units: bigint;
    age: number | null;
  }>(
    `select t.name, coalesce(sum(e.request_units), 0)::bigint as request_units,
            coalesce(sum(e.delivered_units), 0)::bigint as delivered_units,
            coalesce(sum(e.fresh_evidence_units), 0)::bigint as fresh_evidence_units,
            extract(epoch from $3::timestamptz - min(e.settled_at) filter (where e.request_units > 0))::float8 as age
     from unnest(array['window', 'week', 'period'], $2::timestamptz[]) as t (name, tail_at)
     left join entry e on e.subscription_id = $1 and e.settled_at > t.tail_at
       and not exists (select from reversal r where r.operation_id = e.operation_id)
     group by t.name order by t.name desc`,
    [id, [tails.window, tails.week, tails.period], now],
  );
  return rows.map((row) => ({
    settled: {
      requestUnits: row.request_units,
      deliveredUnits: row.delivered_units,
      freshEvidenceUnits: row.fresh_evidence_units,
    },
    age: row.age,
  }));
}

function countersOf({ balance: { intervals } }: SubscriptionSnapshot): Units[] {
  return [intervals.window.settled, intervals.week.settled, intervals.period.settled];
}

async function charge(by: Postings, subscriber: Subscriber, delivered: number, requests = 1) {
  const call = admission('charge', subscriber, delivered, requests);
  await by.admit(call);
  return call;
}

test('while entries come by two processes and leave, the balance that follows from the row is what entries add up to', async () => {
  await using other = ledger.connectAgain();
  const two = createPostings(other.pool);
  const random = seeded(String(printedSeed()));
  const subscriber = await createSubscriber(ledger.pool, { ...AMPLE, windowSeconds: 1n });
  const { subscriptionId } = subscriber;
  const cache = new BalanceCache();
  const change = { plan: undefined, status: undefined, replaceLimits: false };
  let known = 0;
  for (let step = 0; step < 150; step += 1) {
    const by = random.next() < 0.5 ? postings : two;
    const choice = random.next();
    if (choice < 0.7) await charge(by, subscriber, Math.floor(random.next() * 5), random.next() < 0.8 ? 1 : 0);
    else if (choice < 0.74) await pause(random.next() * 1_500);
    else if (choice < 0.76)
      await updateSubscription(ledger.pool, subscriptionId, {
        ...change,
        ownLimits: { windowSeconds: BigInt(1 + Math.floor(random.next() * 3)) },
      });
    else await pause(random.next() * 60);
    const snapshot = await balanceOf(cache, subscriptionId);
    if (!snapshot) continue;
    known += 1;
    const truth = await addUp(subscriptionId, snapshot);
    expect(countersOf(snapshot)).toEqual(truth.map(({ settled }) => settled));
    const { window } = snapshot.balance.intervals;
    expect(window.resetSeconds).toBe(BigInt(Math.ceil(Number(window.seconds) - (truth[0]?.age ?? Number.NaN))));
  }
  expect(known).toBeGreaterThan(75);
});

test('a cached balance is not used once a settlement is reversed or an entry is changed by hand', async () => {
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  const { subscriptionId } = subscriber;
  const cache = new BalanceCache();
  const first = await charge(postings, subscriber, 3);
  const second = await charge(postings, subscriber, 4);
  expect(await balanceOf(cache, subscriptionId)).toBeUndefined();
  expect(await balanceOf(cache, subscriptionId)).toBeDefined();
  await ledger.owner.query('update entry set settled_at = settled_at where operation_id = $1', [second.operationId]);
  expect(await balanceOf(cache, subscriptionId)).toBeUndefined();
  expect(await balanceOf(cache, subscriptionId)).toBeDefined();
  await reverse(ledger.pool, postings, first, { caller: 'operations', reason: 'lost in a restore' });
  expect(await balanceOf(cache, subscriptionId)).toBeUndefined();
  // While an interval contains a reversal, its entries do not determine the balance.
  expect(await balanceOf(cache, subscriptionId)).toBeUndefined();
  const { hold, allowance } = await postings.admit(admission('charge', subscriber, 1));
  expect(hold.state).toBe('posted');
  expect(allowance?.windowRemaining).toBe((AMPLE.windowRequestUnits ?? 0n) - 2n);
});

test('a balance is read again from a server that knows less than was seen, and from every server after a restore', async () => {
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  const { subscriptionId } = subscriber;
  const cache = new BalanceCache();
  await charge(postings, subscriber, 3);
  await balanceOf(cache, subscriptionId);
  await charge(postings, subscriber, 3);
  expect(await balanceOf(cache, subscriptionId)).toBeDefined();
  await ledger.owner.query("update subscription set last_at = last_at - interval '1 hour' where id = $1", [
    subscriptionId,
  ]);
  expect(await balanceOf(cache, subscriptionId)).toBeUndefined();
  expect(await balanceOf(cache, subscriptionId)).toBeDefined();
  await ledger.pool.query('update subscription set history_version = history_version + 1');
  expect(await balanceOf(cache, subscriptionId)).toBeUndefined();
});

test('a window that grows counts what had left it, and a new period begins with nothing', async () => {
  const subscriber = await createSubscriber(ledger.pool, { ...AMPLE, windowSeconds: 1n });
  const { subscriptionId } = subscriber;
  await charge(postings, subscriber, 2);
  await pause(1_100);
  await charge(postings, subscriber, 3);
  await charge(postings, subscriber, 3);
  await updateSubscription(ledger.pool, subscriptionId, {
    ...{ plan: undefined, status: undefined, replaceLimits: false },
    ownLimits: { windowSeconds: 3_600n },
  });
  const { allowance } = await postings.admit(admission('charge', subscriber, 1));
  expect(allowance?.windowRemaining).toBe((AMPLE.windowRequestUnits ?? 0n) - 4n);
  await ledger.owner.query(
    `update subscription
     set period_anchor = date_trunc('milliseconds', clock_timestamp() at time zone 'UTC' + interval '300 milliseconds')
                         at time zone 'UTC' - interval '1 month'
     where id = $1`,
    [subscriptionId],
  );
  await charge(postings, subscriber, 1);
  await pause(400);
  await charge(postings, subscriber, 1);
  const snapshot = await readSnapshot(ledger.pool, subscriptionId);
  expect(snapshot?.balance.intervals.period.settled).toEqual(plus(NO_UNITS, units(1, 1)));
  expect(snapshot?.balance.intervals.week.settled).toEqual(units(6, 11));
});
