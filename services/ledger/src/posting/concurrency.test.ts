import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type Subscriber,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { findCounterDifferences } from '../db/verification/counters.ts';
import { findOversteppedLimits } from '../db/verification/overstepped-limits.ts';
import { findUnmatchedPostings } from '../db/verification/unmatched-postings.ts';
import { createPostings, type Postings } from './postings.ts';

const CLIENTS = 40;
const RUN_MS = 4_000;
const WINDOW_SECONDS = 1;
const LIMIT = { requests: 40, delivered: 100 };

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function runOperation(postings: Postings, subscriber: Subscriber, turn: number): Promise<'admitted' | 'refused'> {
  const asked = (turn * 7) % 5;
  const call = admission(turn % 3 === 0 ? 'charge' : 'reserve', subscriber, asked);
  const { hold } = await postings.admit(call);
  if (hold.state === 'held' && turn % 5 === 0) await postings.release(call);
  else if (hold.state === 'held') await postings.settle(call, units(1, turn % (asked + 1)));
  return hold.state === 'refused' ? 'refused' : 'admitted';
}

test('forty clients of two processes never exceed a limit, at any instant, and the counters agree', async () => {
  const subscriber = await createSubscriber(ledger.pool, {
    windowSeconds: BigInt(WINDOW_SECONDS),
    windowRequestUnits: BigInt(LIMIT.requests),
    windowDeliveredUnits: BigInt(LIMIT.delivered),
    weekRequestUnits: 1_000_000n,
    weekDeliveredUnits: 1_000_000n,
    periodRequestUnits: 1_000_000n,
    periodDeliveredUnits: 1_000_000n,
  });
  const processes = [createPostings(ledger.pool), createPostings(ledger.pool)] as const;
  const deadline = performance.now() + RUN_MS;
  const counts = { admitted: 0, refused: 0 };
  await Promise.all(
    [...Array(CLIENTS).keys()].map(async (client) => {
      const postings = processes[client % 2 === 0 ? 0 : 1];
      for (let turn = client; performance.now() < deadline; turn += 1)
        counts[await runOperation(postings, subscriber, turn)] += 1;
    }),
  );
  expect(counts.refused).toBeGreaterThan(0);
  expect(counts.admitted).toBeGreaterThan(LIMIT.requests);
  const { rows } = await ledger.owner.query<{ requests: number; delivered: number; entries: bigint }>(
    `select max(requests) as requests, max(delivered) as delivered, count(*) as entries
     from (
       select sum(request_units) over w as requests, sum(delivered_units) over w as delivered
       from entry
       where subscription_id = $1
       window w as (order by settled_at range between interval '999999 microseconds' preceding and current row)
     ) e`,
    [subscriber.subscriptionId],
  );
  expect(rows[0]?.entries).toBeGreaterThan(BigInt(LIMIT.requests));
  expect(rows[0]?.requests).toBeLessThanOrEqual(LIMIT.requests);
  expect(rows[0]?.delivered).toBeLessThanOrEqual(LIMIT.delivered);
  for (const find of [findCounterDifferences, findUnmatchedPostings, findOversteppedLimits])
    expect(await find(ledger.pool, subscriber.subscriptionId)).toEqual([]);
});

test('the instant of a posting is read under the lock, however long it waited', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const lock = await ledger.owner.connect();
  await lock.query('begin');
  const { rows: holders } = await lock.query<{ xid: string }>(
    'select pg_current_xact_id()::xid::text as xid from subscription where id = $1 for no key update',
    [subscriber.subscriptionId],
  );
  const charged = createPostings(ledger.pool).admit(admission('charge', subscriber));
  const waiting = () =>
    ledger.owner.query('select 1 from pg_locks where not granted and transactionid::text = $1', [holders[0]?.xid]);
  await expect.poll(async () => (await waiting()).rowCount, { timeout: 60_000, interval: 10 }).toBe(1);
  const { rows: clocks } = await ledger.owner.query<{ now: string }>('select clock_timestamp()::text as now');
  await lock.query('commit');
  lock.release();
  const { hold } = await charged;
  const { rows: entries } = await ledger.owner.query<{ later: boolean }>(
    'select settled_at > $2 as later from entry where operation_id = $1',
    [hold.operationId, clocks[0]?.now],
  );
  expect(entries).toEqual([{ later: true }]);
});

test('a connection that dies in a batch fails only its calls, and the next call of the subscription succeeds', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const postings = createPostings(ledger.pool);
  const lock = await ledger.owner.connect();
  await lock.query('begin');
  await lock.query('select 1 from subscription where id = $1 for no key update', [subscriber.subscriptionId]);
  const call = admission('charge', subscriber, 2);
  const charged = postings.admit(call).then(
    () => 'charged',
    () => 'failed',
  );
  const endWaiting = async () => {
    const { rowCount } = await ledger.pool.query(
      `select pg_terminate_backend(pid)
       from pg_stat_activity
       where datname = current_database() and usename = current_user and wait_event_type = 'Lock'`,
    );
    return rowCount;
  };
  await expect.poll(endWaiting, { timeout: 60_000, interval: 10 }).toBe(1);
  expect(await charged).toBe('failed');
  await lock.query('commit');
  lock.release();
  expect((await postings.admit(call)).hold.state).toBe('posted');
  expect(await findCounterDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
});
