import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createTestDatabase } from '@ces/test/support/database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newOperation } from '../../test-support/new-operation.ts';
import { logger } from '../../test-support/stack.ts';
import { runRetentionPass } from '../background/retention.ts';
import type { StoredResult } from '../model/result.ts';
import { findByRequestKey, findKept, insertCreated, insertWithResult } from './operation.ts';
import { countHeadroom, dropPartitions, preparePartitions } from './retention.ts';
import { deleteUndecided, markDelivered, markHeld, markWithdrawing } from './transition.ts';

const YEAR_MS = 365 * 24 * 3_600_000;
const KEPT_MS = 400 * 24 * 3_600_000;
const LEASE = { owner: 'me', leaseMs: 60_000, pendingMs: 60_000 };
const STEP = 2 ** 24;
const RESULT: StoredResult = {
  items: [],
  details: { action: 'diagnostic' },
  settledCompanyIds: [],
  requestUnits: 0,
  freshEvidenceUnits: 0,
  asOf: new Date(),
  judgedAt: new Date(),
  nextCursor: undefined,
};

let cleanup: AsyncDisposableStack;
let pool: Pool;
let owner: Pool;

beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  const database = cleanup.use(await createTestDatabase('operations'));
  const connect = (connectionString: string) => {
    const made = createPool({ connectionString, max: 4, applicationName: 'test', logger });
    cleanup.defer(() => made.end());
    return made;
  };
  pool = connect(database.url);
  owner = connect(database.ownerUrl);
});
afterEach(() => cleanup.disposeAsync());

async function deliverAgo(ms: number): Promise<{ id: bigint; requestKey: string }> {
  const operation = newOperation({ payment: 'charge' });
  const id = (await insertWithResult(pool, operation, RESULT, 'stored', 60_000))?.id ?? 0n;
  await markDelivered(pool, [id]);
  await owner.query("update operation set created_at = created_at - $2 * interval '1 ms' where id = $1", [id, ms]);
  return { id, requestKey: operation.requestKey };
}

async function partitions(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from operation_partition order by last_number');
  return rows.map(({ name }) => name);
}

function numbered(...multiples: number[]): string[] {
  return multiples.map((multiple) => `operation_${multiple}`);
}

async function moveNumbersTo(number: number): Promise<void> {
  await owner.query('select setval($$operation_id_seq$$, $1)', [number]);
}

test('there are partitions for further operations wherever their numbers have come to', async () => {
  expect(await partitions()).toEqual(numbered(0, 1, 2));
  await moveNumbersTo(STEP + 5);
  await preparePartitions(pool);
  expect(await partitions()).toEqual(numbered(0, 1, 2, 3));
  await moveNumbersTo(900 * STEP);
  await preparePartitions(pool);
  expect(await partitions()).toEqual(numbered(0, 1, 2, 3, 900, 901, 902));
  expect(await countHeadroom(pool)).toBeGreaterThanOrEqual(2 * STEP);
  expect((await insertCreated(pool, newOperation(), LEASE))?.id).toBe(BigInt(900 * STEP + 1));
});

test('a month that has begun gets a partition of its own, and the next pass changes nothing', async () => {
  const first = await deliverAgo(0);
  await preparePartitions(pool);
  const second = await deliverAgo(40 * 24 * 3_600_000);
  expect(second.id).toBe(first.id + 1n);
  await owner.query("update operation set created_at = created_at - interval '40 days' where id = $1", [first.id]);
  await preparePartitions(pool);
  const third = await deliverAgo(0);
  expect(third.id).toBe(BigInt(STEP));
  await preparePartitions(pool);
  expect((await deliverAgo(0)).id).toBe(third.id + 1n);
});

test('a partition is dropped when all its operations are old and have ended; their request keys stay taken forever', async () => {
  await moveNumbersTo(STEP);
  const old = await deliverAgo(2 * YEAR_MS);
  const open = await insertCreated(pool, newOperation(), LEASE);
  await owner.query("update operation set created_at = created_at - interval '2 years' where id = $1", [open?.id]);
  await preparePartitions(pool);
  const young = await deliverAgo(0);
  expect(young.id).toBe(BigInt(2 * STEP));
  // The first partition is empty.
  expect([await dropPartitions(pool, KEPT_MS), await partitions()]).toEqual([1, numbered(1, 2, 3)]);
  await deleteUndecided(pool, open?.id ?? 0n);
  expect([await dropPartitions(pool, KEPT_MS), await partitions()]).toEqual([1, numbered(2, 3)]);
  expect((await owner.query('select from result')).rowCount).toBe(1);
  expect((await findByRequestKey(pool, 1n, 'company_search', old.requestKey, KEPT_MS)).owner).toEqual({
    kind: 'retired',
  });
  expect(await findKept(pool, 1n, old.id, KEPT_MS)).toEqual({ kind: 'retired' });
  expect(await findKept(pool, 2n, old.id, KEPT_MS)).toEqual({ kind: 'none' });
  expect(await insertCreated(pool, newOperation({ requestKey: old.requestKey }), LEASE)).toBeUndefined();
});

test('old operations are not shown although their partition still exists', async () => {
  const { id, requestKey } = await deliverAgo(2 * YEAR_MS);
  expect(await findKept(pool, 1n, id, KEPT_MS)).toEqual({ kind: 'retired' });
  expect((await findByRequestKey(pool, 1n, 'company_search', requestKey, KEPT_MS)).owner).toEqual({ kind: 'retired' });
});

test('old operations are deleted although no partition can be created, and that is reported', async () => {
  await deliverAgo(2 * YEAR_MS);
  await moveNumbersTo(STEP + 5);
  await owner.query(
    `create or replace function prepare_operation_partitions(from_number bigint default 0) returns void
     language plpgsql as 'begin raise exception ''none''; end'`,
  );
  await expect(runRetentionPass(pool, KEPT_MS, logger)).rejects.toThrow('none');
  expect((await owner.query('select from operation')).rowCount).toBe(0);
});

test('an operation that was shown to no caller leaves no key and no job', async () => {
  const operation = newOperation({ payment: 'charge' });
  const made = await insertCreated(pool, operation, LEASE);
  await deleteUndecided(pool, made?.id ?? 0n);
  expect((await owner.query('select from job union all select from request_key')).rowCount).toBe(0);
  expect(await insertCreated(pool, operation, LEASE)).toBeDefined();
});

test('a lost attempt is remembered for as long as its operation is kept', async () => {
  const operation = newOperation();
  const lost = async () => (await owner.query('select from lost_attempt')).rowCount;
  const made = await insertCreated(pool, operation, { ...LEASE, runsHere: true });
  await markWithdrawing(pool, made?.id ?? 0n, true);
  await deleteUndecided(pool, made?.id ?? 0n);
  await runRetentionPass(pool, KEPT_MS, logger);
  expect(await lost()).toBe(1);
  expect(await insertCreated(pool, operation, { ...LEASE, runsHere: true })).toMatchObject({ lostAttempts: 1 });
  expect(await insertCreated(pool, newOperation(), LEASE)).toMatchObject({ lostAttempts: 0 });
  await owner.query("update lost_attempt set lost_at = lost_at - $1 * interval '1 millisecond'", [KEPT_MS + 1]);
  await runRetentionPass(pool, KEPT_MS, logger);
  expect(await lost()).toBe(0);
});

test('changes of state write no index', async () => {
  for (let made = 0; made < 50; made += 1) await deliverAgo(0);
  const held = await insertCreated(pool, newOperation(), LEASE);
  await markHeld(pool, held?.id ?? 0n);
  // Two for each delivered operation: one by the service, one that backdates it.
  await expect.poll(readUpdates).toEqual({ updated: 101, hot: 101 });
});

async function readUpdates() {
  const { rows } = await owner.query<{ updated: number; hot: number }>(
    `select sum(n_tup_upd)::int as updated, sum(n_tup_hot_upd)::int as hot
     from pg_stat_user_tables where relname ~ '^operation_[0-9]+$'`,
  );
  return rows[0];
}
