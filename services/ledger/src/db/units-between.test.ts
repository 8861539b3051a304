import { inTransaction } from '@ces/chassis/postgres/pool';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AMPLE,
  admission,
  createSubscriber,
  createTestLedger,
  insertHistory,
  type Subscriber,
  type TestLedger,
} from '../../test-support/test-ledger.ts';
import { createPostings } from '../posting/postings.ts';
import { readSnapshot } from './balance-snapshot.ts';
import { appendTotals, ENTRIES_A_STEP, ENTRIES_PER_TOTAL } from './entry-total.ts';
import { ALL_TIME, findNextEntries } from './range.ts';

const ENTRIES = 20_000;
let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function createQuietSubscriber(): Promise<Subscriber> {
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  await insertHistory(ledger.owner, subscriber, ENTRIES, 3 * 86_400);
  for (let after = ALL_TIME.after; ; ) {
    const range = await findNextEntries(ledger.pool, subscriber.subscriptionId, after, ENTRIES_A_STEP);
    if (!range) break;
    await appendTotals(ledger.pool, subscriber.subscriptionId, range.until);
    after = range.until;
  }
  return subscriber;
}

async function countRead({ subscriptionId }: Subscriber): Promise<number> {
  return await inTransaction(ledger.owner, async (client) => {
    await readSnapshot(client, subscriptionId);
    const { rows } = await client.query<{ read: bigint }>(
      `select sum(pg_stat_get_xact_tuples_fetched(c.oid) + pg_stat_get_xact_tuples_returned(c.oid))::bigint as read
       from pg_class c
       where c.oid in (select relid from pg_partition_tree('entry')) or c.relname = 'entry'
          or c.oid in (select indexrelid from pg_index where indrelid in (select relid from pg_partition_tree('entry')))`,
    );
    return Number(rows[0]?.read ?? 0);
  });
}

test('the balance of an account that fell quiet reads a few hundred entries of the many that have left its window', async () => {
  const subscriber = await createQuietSubscriber();
  const snapshot = await readSnapshot(ledger.pool, subscriber.subscriptionId);
  expect(snapshot?.balance.intervals.window.settled.requestUnits).toBe(0n);
  expect(snapshot?.balance.intervals.week.settled.deliveredUnits).toBe(BigInt(2 * ENTRIES));
  expect(await countRead(subscriber)).toBeLessThan(8 * ENTRIES_PER_TOTAL);
});

test('between any two instants units are what the entries add up to', async () => {
  const { subscriptionId } = await createQuietSubscriber();
  const { rows } = await ledger.owner.query<{ different: number; compared: number }>(
    `with edge as (
       select settled_at + (case when random() < 0.5 then 0 else 1 end) * interval '1 microsecond' as at
       from entry where subscription_id = $1 order by random() limit 20
     ), pair as (
       select least(a.at, b.at) as low, greatest(a.at, b.at) as high from edge a cross join edge b
     )
     select count(*)::integer as compared, count(*) filter (where
       (u.request_units, u.delivered_units, u.fresh_evidence_units) is distinct from
       (s.request_units, s.delivered_units, s.fresh_evidence_units))::integer as different
     from pair
     cross join lateral units_between($1, low, high) u
     cross join lateral (
       select coalesce(sum(request_units), 0) as request_units, coalesce(sum(delivered_units), 0) as delivered_units,
              coalesce(sum(fresh_evidence_units), 0) as fresh_evidence_units
       from entry where subscription_id = $1 and settled_at > low and settled_at <= high
     ) s`,
    [subscriptionId],
  );
  expect(rows).toEqual([{ compared: 400, different: 0 }]);
});

test('a manual change of an entry invalidates the totals from there on', async () => {
  const subscriber = await createQuietSubscriber();
  const { rows } = await ledger.owner.query(
    `update entry set request_units = 0 where operation_id = (
       select min(operation_id) + 300 from entry where subscription_id = $1) returning 1`,
    [subscriber.subscriptionId],
  );
  expect(rows).toHaveLength(1);
  const totals = await ledger.owner.query('select entries from entry_total where subscription_id = $1', [
    subscriber.subscriptionId,
  ]);
  expect(totals.rows).toEqual([{ entries: BigInt(ENTRIES_PER_TOTAL) }]);
  const snapshot = await readSnapshot(ledger.pool, subscriber.subscriptionId);
  expect(snapshot?.balance.intervals.window.settled.requestUnits).toBe(1n);
});

test('postings continue from totals as from entries', async () => {
  const subscriber = await createQuietSubscriber();
  await createPostings(ledger.pool).admit(admission('charge', subscriber, 4));
  const snapshot = await readSnapshot(ledger.pool, subscriber.subscriptionId);
  expect(snapshot?.balance.intervals.window.settled.deliveredUnits).toBe(4n);
  expect(snapshot?.balance.intervals.week.settled.deliveredUnits).toBe(BigInt(2 * ENTRIES + 4));
});
