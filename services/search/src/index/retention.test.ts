import type { Timestamp } from '@bufbuild/protobuf/wkt';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../test-support/documents.ts';
import { type IndexUnderTest, openIndex } from '../../test-support/index-under-test.ts';
import { createPostgresIndex } from './postgres/postgres-index.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const LATER_MS = 11 * 60_000;
let now = START;
let subject: IndexUnderTest;

beforeEach(async () => {
  now = START;
  subject = await openIndex({ keptMonths: 14 }, { now: () => new Date(now) });
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

test('what is too old is discarded one run after it was declared so, and a search that asks for it reports that it was cut', async () => {
  expect(await found()).toEqual({ ids: [1n, 2n, 3n, 4n], truncated: false });
  await subject.index.maintain();
  expect(await found()).toMatchObject({ truncated: true });
  expect(await partitions()).toContain('entry_2023');
  now += LATER_MS;
  await subject.index.maintain();
  expect(await partitions()).not.toContain('entry_2023');
  expect(await found()).toEqual({ ids: [1n, 2n], truncated: true });
  expect(await found(instant('2026-01-15T00:00:00Z'))).toEqual({ ids: [1n, 2n], truncated: false });
  expect((await subject.index.size()).observations).toBe(2n);
});

test('what is too old is not indexed again, until a rebuild keeps it', async () => {
  await discardOld();
  await subject.apply({
    observations: [
      observation(3n, 3n, 'battery plant', { version: 2n, occurredAt: instant('2023-02-02T00:00:00Z') }),
      observation(5n, 3n, 'battery plant', { occurredAt: instant('2024-02-02T00:00:00Z') }),
    ],
  });
  expect((await found()).ids).toEqual([1n, 2n]);
  expect(await partitions()).not.toContain('entry_2024');
  const longer = createPostgresIndex({
    ...LIMITS,
    pool: subject.pool,
    clock: { now: () => new Date(now) },
    placeCodes: new Map(),
  });
  expect(await longer.beginRebuild()).toBe(true);
  await subject.applyRebuild({
    observations: [observation(3n, 3n, 'battery plant', { version: 2n, occurredAt: instant('2023-02-02T00:00:00Z') })],
  });
  await longer.finishRebuild(1n);
  expect(await found()).toEqual({ ids: [3n], truncated: false });
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

test('every search during a rebuild finds everything', async () => {
  const observations = Array.from({ length: 400 }, (_, at) =>
    observation(BigInt(at + 1), BigInt(at + 1), 'flour mill'),
  );
  await subject.apply({ observations });
  expect(await subject.index.beginRebuild()).toBe(true);
  const rebuilt = subject.applyRebuild({ observations }).then(() => subject.index.finishRebuild(1n));
  let isOver = false;
  const over = rebuilt.finally(() => {
    isOver = true;
  });
  const counts: number[] = [];
  do counts.push((await subject.companiesFor('flour')).length);
  while (!isOver);
  await over;
  expect(new Set(counts)).toEqual(new Set([100]));
  expect(await subject.companiesFor('battery')).toEqual([]);
});

const LIMITS = { statementTimeoutMs: 5_000, matchBudget: 10_000, windowMatchBudget: 10_000 };

/** Lets two runs pass. */
async function discardOld(): Promise<void> {
  await subject.index.maintain();
  now += LATER_MS;
  await subject.index.maintain();
}

async function found(occurredAfter?: Timestamp) {
  const { hits, truncated } = await subject.rank('battery', filters(occurredAfter ? { occurredAfter } : {}));
  return { ids: hits.map((hit) => hit.companyId).sort(), truncated };
}

async function partitions(): Promise<string[]> {
  const { rows } = await subject.pool.query<{ name: string }>(
    `select relid::regclass::text as name from pg_partition_tree('entry') where isleaf`,
  );
  return rows.map(({ name }) => name);
}
