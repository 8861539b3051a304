import type { Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { volumeOf } from '@ces/test/support/volume.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AMPLE,
  admission,
  createSubscriber,
  createTestLedger,
  insertHistory,
  letTimePass,
  type Subscriber,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { readDriftCheck, readScrubPosition } from '../db/drift-check.ts';
import { ENTRIES_PER_TOTAL } from '../db/entry-total.ts';
import { readOldestHold } from '../db/hold.ts';
import { createPostings, type Postings } from '../posting/postings.ts';
import { Reconciler } from './reconciler.ts';
import { scrubNext } from './scrubber.ts';

const ROUNDS = volumeOf(10, 100, 100);
const logger = createLogger('test', 'silent');
const never = new AbortController().signal;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function countReads({ owner }: TestLedger, pool: Pool, table: 'hold' | 'entry'): Promise<number> {
  await reportReads(owner);
  await reportReads(pool);
  const { rows } = await owner.query<{ read: bigint }>(
    `select sum(idx_tup_fetch + seq_tup_read)::bigint as read from pg_stat_user_tables
     where relname ~ ('^' || $1 || '_(first|default|[0-9])')`,
    [table],
  );
  return Number(rows[0]?.read ?? 0n);
}

/**
 * A backend reports statistics at most once a second, unless it is asked to. This asks every
 * backend of the pool.
 */
async function reportReads(pool: Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const client of clients) {
    await client.query('select pg_stat_force_next_flush()');
    await client.query('select 1');
    client.release();
  }
}

async function runOperation(postings: Postings, payer: Subscriber, turn: number): Promise<void> {
  const call = admission(turn % 3 === 0 ? 'charge' : 'reserve', payer, turn % 4);
  const { hold } = await postings.admit(call);
  if (hold.state === 'held' && turn % 5 === 0) await postings.release(call);
  else if (hold.state === 'held') await postings.settle(call, units(1, 0));
}

test(`a busy ledger is never reported to have drifted, ${ROUNDS} times`, async () => {
  const payers = await Promise.all([1, 2, 3].map(() => createSubscriber(ledger.pool, { windowSeconds: 1n })));
  const postings = createPostings(ledger.pool);
  const reconciler = new Reconciler(ledger.pool, logger);
  const found = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const turns = payers.flatMap((payer) => [0, 1, 2].map((turn) => runOperation(postings, payer, 3 * round + turn)));
    await Promise.all([reconciler.pass(never), ...turns]);
    found.push(...(reconciler.differences ?? []));
  }
  expect(found).toEqual([]);
});

test('drift is found in the next pass on a subscription without differences and calls, and so is its repair', async () => {
  const { subscriptionId } = await createSubscriber(ledger.pool);
  const reconciler = new Reconciler(ledger.pool, logger);
  expect(reconciler.differences).toBe(undefined);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([]);
  const setHeld = (held: number) =>
    ledger.owner.query('update subscription set held_request_units = $2 where id = $1', [subscriptionId, held]);
  await setHeld(3);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([
    { subscriptionId, operationId: 0n, description: 'counter of held request units: stored 3, recomputed 0' },
  ]);
  await setHeld(0);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([]);
});

test('a subscription that cannot be read ends no pass: others are compared, and the age of the last whole pass grows', async () => {
  await using own = await createTestLedger();
  const [unreadable, sound] = [await createSubscriber(own.pool, AMPLE), await createSubscriber(own.pool, AMPLE)];
  await insertHistory(own.owner, unreadable, 2, 3_600);
  const reconciler = new Reconciler(own.pool, logger);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([]);
  await own.owner.query(
    'alter table hold drop constraint hold_units_positive; update entry set request_units = 9223372036854775807',
  );
  await own.owner.query('update subscription set held_request_units = 3 where id = $1', [sound.subscriptionId]);
  await own.owner.query("update drift_check set completed_at = completed_at - interval '1 hour'");
  await reconciler.pass(never);
  expect(reconciler.differences).toContainEqual({
    subscriptionId: sound.subscriptionId,
    operationId: 0n,
    description: 'counter of held request units: stored 3, recomputed 0',
  });
  const check = await readDriftCheck(own.pool);
  expect(check.differences).toBe(reconciler.differences?.length);
  expect(check.ageSeconds).toBeGreaterThan(3_600);
  await own.owner.query('update entry set request_units = 1');
  await own.owner.query('update subscription set held_request_units = 0');
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([]);
  expect((await readDriftCheck(own.pool)).ageSeconds).toBeLessThan(60);
});

test('compared rows are not read again by the next pass, in any process', async () => {
  await using own = await createTestLedger();
  const subscriber = await createSubscriber(own.pool, AMPLE);
  await insertHistory(own.owner, subscriber, 40_000, 3_600);
  const read = async (pool: Pool) => ({
    holds: await countReads(own, pool, 'hold'),
    entries: await countReads(own, pool, 'entry'),
  });
  await new Reconciler(own.pool, logger).pass(never);
  await createPostings(own.pool).admit(admission('charge', subscriber));
  const before = await read(own.pool);
  expect(before.holds).toBeGreaterThanOrEqual(40_000);
  await using other = own.connectAgain();
  const reconciler = new Reconciler(other.pool, logger);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([]);
  const after = await read(other.pool);
  expect(after.holds - before.holds).toBeGreaterThan(0);
  expect(after.holds - before.holds).toBeLessThan(10);
  // Sums start from the last total before an instant, so few entries are read.
  expect(after.entries - before.entries).toBeLessThan(2_000);
});

test('totals that a manual change deletes during a pass are compared and computed again in batches', async () => {
  await using own = await createTestLedger();
  const subscriber = await createSubscriber(own.pool, AMPLE);
  await insertHistory(own.owner, subscriber, 4_000, 3_600);
  const reconciler = new Reconciler(own.pool, logger);
  await reconciler.pass(never);
  // This is the state if the pass saves its progress after the change: totals are gone, but the
  // check exists.
  await own.owner.query(
    `delete from entry_total where entries > 256;
     update hold set delivered_units = delivered_units - 2 where operation_id = (select min(operation_id) + 1000 from entry)`,
  );
  await createPostings(own.pool).admit(admission('charge', subscriber));
  await reconciler.pass(never);
  expect(reconciler.differences?.map(({ description }) => description)).toContainEqual(
    'entry of 1/2 request/delivered units, hold of 1/1',
  );
  const { rows } = await own.owner.query<{ entries: bigint }>('select max(entries) as entries from entry_total');
  expect(rows).toEqual([{ entries: 3_840n }]);
});

test('subscriptions that no pass has read are read in batches, and new rows of others do not wait for them', async () => {
  await using own = await createTestLedger();
  const first = await createSubscriber(own.pool, AMPLE);
  await insertHistory(own.owner, first, 12_000, 3_600);
  const second = await createSubscriber(own.pool, AMPLE);
  await createPostings(own.pool).admit(admission('charge', second, 2));
  await own.owner.query(`update drift_check set completed_at = completed_at - interval '2 hours'`);
  await own.owner.query('alter table entry disable trigger user');
  await own.owner.query('delete from entry where subscription_id = $1', [second.subscriptionId]);
  const reconciler = new Reconciler(own.pool, logger, 4);
  const seen: unknown[][] = [];
  for (let pass = 0; pass < 6; pass += 1) {
    await reconciler.pass(never);
    const { rows } = await own.owner.query<{ entries: bigint }>(
      'select coalesce(max(entries), 0) as entries from entry_total where subscription_id = $1',
      [first.subscriptionId],
    );
    const { ageSeconds } = await readDriftCheck(own.pool);
    const lost = reconciler.differences?.some(({ subscriptionId }) => subscriptionId === second.subscriptionId);
    seen.push([Number(rows[0]?.entries), lost, ageSeconds < 3_600]);
  }
  const [entries, lost, isWhole] = [0, 1, 2].map((nth) => seen.map((pass) => pass[nth]));
  expect(entries).toEqual([5_120, 10_240, 11_776, 11_776, 11_776, 11_776]);
  expect(lost).toEqual([true, true, true, true, true, true]);
  expect(isWhole).toEqual([false, false, false, false, true, true]);
});

test('damage to old rows that bypasses the triggers is found in the rotation, and reported until it is repaired', async () => {
  await using own = await createTestLedger();
  const subscriber = await createSubscriber(own.pool, AMPLE);
  await insertHistory(own.owner, subscriber, 3_000, 3_600);
  const reconciler = new Reconciler(own.pool, logger);
  const pass = async () => {
    await reconciler.pass(never);
    return reconciler.differences?.map(({ description }) => description);
  };
  expect(await pass()).toEqual([]);
  const damage = async (by: number) => {
    await own.owner.query('alter table entry disable trigger user');
    await own.owner.query(
      `update entry set delivered_units = delivered_units + $2
       where operation_id = (select min(operation_id) + 1000 from entry where subscription_id = $1)`,
      [subscriber.subscriptionId, by],
    );
    await own.owner.query('alter table entry enable trigger user');
  };
  await damage(-1);
  for (let step = 0; step < 3_000 / ENTRIES_PER_TOTAL; step += 1) await scrubNext(own.pool, logger);
  const found = await pass();
  expect(found).toEqual([
    expect.stringMatching(
      /^total at .*: 256 entries of 256\/512\/0 units since the one before, recomputed 256 of 256\/511\/0$/,
    ),
  ]);
  expect(await pass()).toEqual(found);
  await damage(1);
  expect(await pass()).toEqual([]);
  expect(await readScrubPosition(own.pool)).toEqual({ subscriptionId: 0n, at: '-infinity' });
});

test('a step of reading again goes on with the next subscriptions while they have few entries, and ends with the last', async () => {
  await using own = await createTestLedger();
  const subscribers = await Promise.all(Array.from({ length: 20 }, () => createSubscriber(own.pool, AMPLE)));
  const ids = subscribers.map(({ subscriptionId }) => subscriptionId).sort((a, b) => Number(a - b));
  await scrubNext(own.pool, logger);
  expect(await readScrubPosition(own.pool)).toEqual({ subscriptionId: ids[16], at: '-infinity' });
  await scrubNext(own.pool, logger);
  expect(await readScrubPosition(own.pool)).toEqual({ subscriptionId: 0n, at: '-infinity' });
});

test('a settlement whose entry is lost is named in the next pass, whether it was open then or not', async () => {
  await using own = await createTestLedger();
  const subscriber = await createSubscriber(own.pool, AMPLE);
  const postings = createPostings(own.pool);
  const reconciler = new Reconciler(own.pool, logger);
  const open = admission('reserve', subscriber, 2);
  await postings.admit(open);
  await reconciler.pass(never);
  await postings.settle(open, units(1, 0));
  await postings.admit(admission('charge', subscriber, 2));
  await own.owner.query('alter table entry disable trigger user; delete from entry');
  await reconciler.pass(never);
  const descriptions = reconciler.differences?.map(({ description }) => description) ?? [];
  expect(descriptions.filter((description) => description === 'hold is posted and has no entry')).toHaveLength(2);
});

test('the age of the oldest hold counts holds that are never ended', async () => {
  await using own = await createTestLedger();
  const payer = await createSubscriber(own.pool);
  expect(await readOldestHold(own.pool)).toBe(0);
  await createPostings(own.pool).admit(admission('reserve', payer));
  await letTimePass(own.owner, payer.subscriptionId, 4_000);
  const seconds = await readOldestHold(own.pool);
  expect(seconds).toBeGreaterThanOrEqual(4_000);
  expect(seconds).toBeLessThan(4_100);
});

test('an aborted pass keeps the findings of the last one', async () => {
  const reconciler = new Reconciler(ledger.pool, logger);
  await createSubscriber(ledger.pool);
  await expect(reconciler.pass(AbortSignal.abort())).rejects.toThrow();
  expect(reconciler.differences).toBe(undefined);
});
