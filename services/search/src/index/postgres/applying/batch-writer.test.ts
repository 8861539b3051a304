import { create } from '@bufbuild/protobuf';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, instant, observation } from '../../../../test-support/documents.ts';
import { batchOf } from '../../../../test-support/index-under-test.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
let subject: PostgresIndexUnderTest;
beforeEach(async () => {
  subject = await openPostgresIndex({ clock: { now: () => NOW } });
});
afterEach(() => subject[Symbol.asyncDispose]());

async function partitions(): Promise<string[]> {
  const { rows } = await subject.pool.query<{ bucket: string }>(
    'select bucket::text from entry order by observation_id',
  );
  return rows.map((row) => row.bucket);
}

test('documents and the position of the feed are written in one transaction', async () => {
  const position = (tx: bigint) => create(ChangePositionSchema, { tx, seq: 1n });
  const batch = batchOf({ observations: [observation(1n, 1n, 'battery')], companies: [company(1n, 'One')] });
  const range = { feed: 'live' as const, from: position(4n), to: position(9n), complete: true };
  await expect(subject.index.apply({ ...batch, range }, 1n)).rejects.toThrow('moved');
  expect(await subject.index.size()).toMatchObject({ observations: 0n, companies: 0n });
});

test('every observation is written to its partition, and partitions are created when they are needed', async () => {
  const at = (text: string) => ({ occurredAt: instant(text) });
  await subject.apply({
    observations: [
      observation(1n, 1n, 'a', at('2026-11-20T00:00:00Z')),
      observation(2n, 1n, 'a', at('2023-12-31T23:59:59Z')),
      observation(3n, 1n, 'a', at('1999-01-01T00:00:00Z')),
      observation(4n, 1n, 'a', at('2031-01-01T00:00:00Z')),
      observation(5n, 1n, 'a', { ...at('2026-11-01T00:00:00Z'), kind: Kind.COMPANY_PROFILE }),
      observation(6n, 1n, 'a', at('2026-12-31T00:00:00Z')),
    ],
  });
  expect(await partitions()).toEqual(['2026-11-01', '2023-01-01', '0001-01-01', 'infinity', '-infinity', '2026-12-01']);
});

test('a newer version moves an observation to the partition of its time', async () => {
  await subject.apply({ observations: [observation(1n, 1n, 'battery plant')] });
  const newer = { version: 2n, occurredAt: instant('2023-05-05T00:00:00Z') };
  await subject.apply({ observations: [observation(1n, 2n, 'flour mill', newer)] });
  expect(await partitions()).toEqual(['2023-01-01']);
});

test('the role of the service creates partitions and no other table', async () => {
  await expect(subject.pool.query('create table other (id int)')).rejects.toThrow('permission denied');
  await expect(subject.pool.query(`select create_partition('2027-06-15')`)).rejects.toThrow('no partition begins');
  await expect(subject.pool.query(`select create_partition('1492-01-01')`)).rejects.toThrow('no partition begins');
  await expect(subject.pool.query(`select create_partition('2900-01-01')`)).rejects.toThrow('no partition begins');
});

test('a partition is created while a search runs', async () => {
  const searching = new pg.Client({ connectionString: subject.database.url });
  await searching.connect();
  await searching.query('begin');
  await searching.query('select count(*) from entry');
  await subject.apply({
    observations: [observation(1n, 1n, 'battery', { occurredAt: instant('2022-01-01T00:00:00Z') })],
  });
  await searching.query('commit');
  await searching.end();
  expect(await partitions()).toEqual(['2022-01-01']);
});
