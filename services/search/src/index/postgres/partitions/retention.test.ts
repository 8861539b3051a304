import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, instant, observation } from '../../../../test-support/documents.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';
import { readPartitionBoundary } from './partitions.ts';
import { maintainPartitions } from './retention.ts';

const ENOUGH_MS = 300;
const START = Date.parse('2026-11-20T12:00:00Z');
const LATER_MS = 11 * 60_000;
let now = START;
let subject: PostgresIndexUnderTest;

beforeEach(async () => {
  now = START;
  subject = await openPostgresIndex({ keptMonths: 14, clock: { now: () => new Date(now) } });
  await subject.apply({
    companies: [1n, 2n, 3n, 4n].map((id) => company(id, `Company ${id}`)),
    observations: [
      observation(1n, 1n, 'battery plant', { occurredAt: instant('2026-11-02T00:00:00Z') }),
      observation(2n, 2n, 'battery plant', { occurredAt: instant('2026-02-02T00:00:00Z') }),
      observation(3n, 3n, 'battery plant', { occurredAt: instant('2023-02-02T00:00:00Z') }),
      observation(4n, 4n, 'battery plant', { occurredAt: instant('2011-02-02T00:00:00Z') }),
    ],
  });
});
afterEach(() => subject[Symbol.asyncDispose]());

test('the partitions of this month and the next are there before anything comes', async () => {
  await subject.index.maintain();
  expect(await partitions()).toEqual(expect.arrayContaining(['entry_2026_11', 'entry_2026_12']));
});

test('a partition is dropped one run after it was declared too old, so that a search that counts on it has ended', async () => {
  expect(await found()).toEqual({ ids: [1n, 2n, 3n, 4n], monthsLeftOut: false });
  await subject.index.maintain();
  expect(await found()).toEqual({ ids: [1n, 2n, 3n, 4n], monthsLeftOut: true });
  expect(await partitions()).toContain('entry_2023');
  now += LATER_MS;
  await subject.index.maintain();
  expect(await partitions()).not.toContain('entry_2023');
  expect(await found()).toEqual({ ids: [1n, 2n], monthsLeftOut: true });
});

test('no partition is created for what is too old', async () => {
  await discardOld();
  await subject.apply({
    observations: [observation(5n, 3n, 'battery plant', { occurredAt: instant('2024-02-02T00:00:00Z') })],
  });
  expect(await partitions()).not.toContain('entry_2024');
});

test('a partition that a search holds stays until it can be dropped, and no search waits long for it', async () => {
  const searching = new pg.Client({ connectionString: subject.database.url });
  await searching.connect();
  await subject.index.maintain();
  now += LATER_MS;
  await searching.query('begin');
  await searching.query('select count(*) from entry');
  await subject.index.maintain();
  expect(await partitions()).toContain('entry_2023');
  expect((await found()).ids).toEqual([1n, 2n]);
  await searching.query('commit');
  await searching.end();
  now += LATER_MS;
  await subject.index.maintain();
  expect(await partitions()).not.toContain('entry_2023');
});

test('the role of the service drops no partition that is kept', async () => {
  await expect(subject.pool.query(`select drop_partition('2026-11-01')`)).rejects.toThrow('is kept');
  await discardOld();
  await expect(subject.pool.query(`select drop_partition('2026-11-01')`)).rejects.toThrow('is kept');
  await expect(subject.pool.query(`select drop_partition('-infinity')`)).rejects.toThrow('is kept');
  await expect(subject.pool.query('drop table entry_2026_11')).rejects.toThrow('must be owner');
});

test('discarding a partition and writing its documents do not wait for each other', async () => {
  await using other = await openPostgresIndex();
  await other.apply({
    observations: [observation(1n, 1n, 'a battery plant', { occurredAt: instant('2021-03-05T00:00:00Z') })],
  });
  const writer = new pg.Client({ connectionString: other.database.ownerUrl });
  await writer.connect();
  await writer.query(`update partitioning set kept_from = '2026-01-01'`);
  await writer.query('begin');
  /*
   * Locks as the projector does: the feed, document rows, then the version counter of the triggers.
   */
  await writer.query('update feed set complete = complete');
  await writer.query('select from indexed for update');
  const boundary = await readPartitionBoundary(other.pool);
  const discarding = maintainPartitions(other.pool, { boundary, now: new Date(), keptMonths: 0 });
  const discarded = discarding.then(
    () => undefined,
    (error: unknown) => error,
  );
  await pause(ENOUGH_MS);
  await writer.query('update indexed set version = version + 1');
  await writer.query('commit');
  expect(await discarded).toBeUndefined();
  expect((await writer.query('select from indexed')).rowCount).toBe(0);
  await writer.end();
});

/** Runs maintenance twice: the first run marks, the second discards. */
async function discardOld(): Promise<void> {
  await subject.index.maintain();
  now += LATER_MS;
  await subject.index.maintain();
}

async function found() {
  const { hits, monthsLeftOut } = await subject.rank('battery');
  return { ids: hits.map((hit) => hit.companyId).toSorted(), monthsLeftOut };
}

async function partitions(): Promise<string[]> {
  const { rows } = await subject.pool.query<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree('entry') where isleaf`,
  );
  return rows.map(({ name }) => name);
}
