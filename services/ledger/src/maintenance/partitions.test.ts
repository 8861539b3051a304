import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { expect, test } from 'vitest';
import {
  AMPLE,
  admission,
  createOldLedger,
  createSubscriber,
  createTestLedger,
  letTimePass,
  units,
} from '../../test-support/test-ledger.ts';
import { listPostings } from '../db/posting.ts';
import { findDifferences } from '../db/verification/subscription.ts';
import { createPostings } from '../posting/postings.ts';
import { reverse } from '../posting/reverse.ts';
import { createPartitionsAhead, dropOldPartitions, keepPartitions } from './partitions.ts';
import { Reconciler } from './reconciler.ts';

const STRETCH = 1n << 24n;
const KEPT_DAYS = 401;
const logger = createLogger('test', 'silent');
const never = new AbortController().signal;

async function listPartitions(db: Queryable, table: 'hold' | 'entry'): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree($1::regclass) where isleaf order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

test('a posting finds a partition for every number and instant, even where none was created', async () => {
  await using ledger = await createTestLedger();
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  const postings = createPostings(ledger.pool);
  const far = { ...admission('reserve', subscriber, 2), operationId: 40n * STRETCH + 7n };
  await postings.admit(far);
  expect(await listPartitions(ledger.pool, 'hold')).not.toContain(`hold_${40n * STRETCH}`);
  expect(await createPartitionsAhead(ledger.pool, never)).toBeGreaterThan(0);
  expect(await createPartitionsAhead(ledger.pool, never)).toBe(0);
  expect(await listPartitions(ledger.pool, 'hold')).toEqual(
    expect.arrayContaining([`hold_${40n * STRETCH}`, `hold_${42n * STRETCH}`, 'hold_default']),
  );
  const { rows } = await ledger.owner.query('select count(*)::int as left from hold_default');
  expect(rows).toEqual([{ left: 0 }]);
  expect((await postings.settle(far, units(1, 1))).hold.state).toBe('posted');
  expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
});

test('partitions are created from rows of the default partition while more rows come and end', async () => {
  await using ledger = await createTestLedger();
  await using others = ledger.connectAgain();
  const subscribers = await Promise.all([1, 2, 3, 4].map(() => createSubscriber(ledger.pool, AMPLE)));
  const postings = createPostings(others.pool);
  const far = 9n * STRETCH;
  await ledger.owner.query(
    `insert into hold (operation_id, operation_identity, subscription_id, state, request_units, delivered_units, created_at)
     select $2 + n, gen_random_uuid(), $1, 'void', 1, 1, clock_timestamp() from generate_series(1, 20000) n`,
    [subscribers[0]?.subscriptionId, far],
  );
  const { rows: months } = await ledger.owner.query<{ name: string }>(`select name from list_partitions('entry')`);
  for (const { name } of months) await ledger.owner.query(`drop table ${name}`);
  let [isMade, next, ended] = [false, far + 100_000n, 0];
  const writing = subscribers.map(async (subscriber) => {
    while (!isMade) {
      const one = { ...admission('reserve', subscriber, 2), operationId: next++ };
      await postings.admit(one);
      const { hold } = await postings.settle(one, units(1, 1));
      if (hold.state === 'posted') ended += 1;
    }
  });
  const making = expect
    .poll(() => ended)
    .toBeGreaterThan(8)
    .then(() => createPartitionsAhead(ledger.pool, never))
    .finally(() => {
      isMade = true;
    });
  await Promise.all([making, ...writing]);
  const { rows } = await ledger.owner.query(
    'select (select count(*)::int from hold_default) as holds, (select count(*)::int from entry_default) as entries',
  );
  expect(rows).toEqual([{ holds: 0, entries: 0 }]);
  expect(next).toBe(far + 100_000n + BigInt(ended));
  for (const { subscriptionId } of subscribers) expect(await findDifferences(ledger.pool, subscriptionId)).toEqual([]);
});

test('expired rows are dropped with their partition, and the ledger verifies', async () => {
  await using ledger = await createOldLedger();
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  const postings = createPostings(ledger.pool);
  const [old, young] = [0, 1].map((stretch) => ({
    ...admission('reserve', subscriber, 2),
    operationId: BigInt(stretch) * STRETCH + 9n,
  })) as [ReturnType<typeof admission>, ReturnType<typeof admission>];
  await postings.admit(old);
  await postings.settle(old, units(1, 1));
  await ledger.owner.query(
    `with moved as (update hold set created_at = created_at - interval '440 days' returning 1),
          entries as (update entry set settled_at = settled_at - interval '440 days' returning 1)
     update subscription set last_at = last_at - interval '440 days', window_tail_at = window_tail_at - interval '440 days',
       week_tail_at = week_tail_at - interval '440 days', period_tail_at = period_tail_at - interval '440 days'`,
  );
  const countEntries = async () => (await ledger.pool.query('select 1 from entry')).rowCount;
  const before = await listPartitions(ledger.pool, 'entry');
  await dropOldPartitions(ledger.pool, KEPT_DAYS, never);
  expect(await countEntries(), 'what is still counted is not dropped').toBe(1);
  await postings.admit(young);
  await dropOldPartitions(ledger.pool, KEPT_DAYS, never);
  expect(await countEntries()).toBe(0);
  expect((await listPartitions(ledger.pool, 'entry')).length).toBeLessThan(before.length);
  expect(await listPartitions(ledger.pool, 'hold')).not.toContain('hold_0');
  expect((await listPostings(ledger.pool, 0n, 10)).map(({ operationId }) => operationId)).toEqual([young.operationId]);
  expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
  const reconciler = new Reconciler(ledger.pool, logger);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([]);
});

test('expired partitions are dropped although none can be created', async () => {
  await using ledger = await createOldLedger();
  await ledger.owner.query(
    `create or replace function create_partitions() returns integer language plpgsql as 'begin raise exception ''none''; end'`,
  );
  const before = await listPartitions(ledger.pool, 'entry');
  await expect(keepPartitions({ pool: ledger.pool, logger }, KEPT_DAYS, never)).rejects.toThrow('none');
  expect((await listPartitions(ledger.pool, 'entry')).length).toBeLessThan(before.length);
});

test('partitions are dropped under continuous postings, together with their reversals', async () => {
  await using ledger = await createOldLedger();
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  const postings = createPostings(ledger.pool);
  const old = admission('charge', subscriber, 2);
  await postings.admit(old);
  await reverse(ledger.pool, postings, old, { caller: 'operations', reason: 'lost' });
  await letTimePass(ledger.owner, subscriber.subscriptionId, 440 * 86_400);
  await postings.admit({ ...admission('charge', subscriber, 2), operationId: STRETCH + 9n });
  const posting = await ledger.owner.connect();
  await posting.query('begin');
  await posting.query('select from subscription where id = $1 for no key update', [subscriber.subscriptionId]);
  const dropped = dropOldPartitions(ledger.pool, KEPT_DAYS, never);
  dropped.catch(() => undefined);
  await untilItWaits(ledger.owner);
  await posting.query('lock table entry in row exclusive mode nowait');
  await posting.query('commit');
  posting.release();
  expect(await dropped).toBeGreaterThan(1);
  expect((await ledger.owner.query('select from reversal')).rowCount).toBe(0);
  expect((await ledger.pool.query('select from entry')).rowCount).toBe(1);
  expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
});

async function untilItWaits(db: Queryable): Promise<void> {
  const waiting =
    'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())';
  while (!(await db.query(waiting)).rowCount) await pause(5);
}

test('a partition with held units is not dropped', async () => {
  await using ledger = await createOldLedger();
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  const postings = createPostings(ledger.pool);
  const held = admission('reserve', subscriber, 2);
  await postings.admit(held);
  await ledger.owner.query("update hold set created_at = created_at - interval '440 days'");
  await postings.admit({ ...admission('reserve', subscriber, 2), operationId: STRETCH + 9n });
  await dropOldPartitions(ledger.pool, KEPT_DAYS, never);
  expect(await listPartitions(ledger.pool, 'hold')).toContain('hold_0');
  expect((await postings.release(held)).hold.state).toBe('void');
});

test('the service can drop nothing that is younger than a leap year, nor reach a partition by itself', async () => {
  await using ledger = await createTestLedger();
  await expect(ledger.pool.query("select drop_partitions(clock_timestamp() - interval '366 days')")).rejects.toThrow(
    'postings are kept for 367 days at least',
  );
  for (const statement of [
    'select 1 from hold_0',
    'drop table entry_default',
    'select add_hold_partition(1, 2)',
    'alter table entry detach partition entry_default',
  ])
    await expect(ledger.pool.query(statement), statement).rejects.toMatchObject({ code: '42501' });
});
