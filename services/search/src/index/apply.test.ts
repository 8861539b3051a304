import { create } from '@bufbuild/protobuf';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../test-support/documents.ts';
import { type IndexUnderTest, openIndex } from '../../test-support/index-under-test.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
let subject: IndexUnderTest;
beforeEach(async () => {
  subject = await openIndex({}, { now: () => NOW });
});
afterEach(() => subject[Symbol.asyncDispose]());

async function partitions(): Promise<string[]> {
  const { rows } = await subject.pool.query<{ bucket: string }>(
    'select bucket::text from entry order by observation_id',
  );
  return rows.map((row) => row.bucket);
}

test('a version that is known, or older, changes nothing', async () => {
  await subject.apply({ observations: [observation(1n, 1n, 'battery plant', { version: 2n })] });
  await subject.apply({ observations: [observation(1n, 1n, 'flour mill', { version: 2n })] });
  await subject.apply({ observations: [observation(1n, 1n, 'flour mill', { version: 1n })] });
  expect(await subject.companiesFor('battery')).toEqual([1n]);
  expect(await subject.companiesFor('flour')).toEqual([]);
});

test('a newer version replaces the text, the company and the partition', async () => {
  await subject.apply({ observations: [observation(1n, 1n, 'battery plant')] });
  const newer = { version: 2n, occurredAt: instant('2023-05-05T00:00:00Z') };
  await subject.apply({ observations: [observation(1n, 2n, 'flour mill', newer)] });
  expect(await subject.companiesFor('battery flour')).toEqual([2n]);
  expect(await partitions()).toEqual(['2023-01-01']);
});

test('a tombstone takes an observation out, a later version brings it back', async () => {
  await subject.apply({ observations: [observation(1n, 1n, 'battery plant')] });
  await subject.apply({ observations: [{ id: 1n, version: 2n, tombstone: true }] });
  expect(await subject.companiesFor('battery')).toEqual([]);
  expect((await subject.index.size()).observations).toBe(0n);
  await subject.apply({ observations: [observation(1n, 1n, 'battery plant', { version: 3n })] });
  expect(await subject.companiesFor('battery')).toEqual([1n]);
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

test('what is applied and how far the feed is are one transaction', async () => {
  const range = (from: bigint | undefined, to: bigint) => ({
    feed: 'live' as const,
    from: from === undefined ? undefined : create(ChangePositionSchema, { tx: from, seq: 1n }),
    to: create(ChangePositionSchema, { tx: to, seq: 1n }),
    complete: true,
  });
  const nothing = { observations: [], companies: [] };
  await subject.index.apply({ ...nothing, range: range(undefined, 5n) }, 1n);
  await expect(subject.index.apply({ ...nothing, range: range(undefined, 9n) }, 1n)).rejects.toThrow('moved');
  await expect(subject.index.apply({ ...nothing, range: range(4n, 9n) }, 1n)).rejects.toThrow('moved');
  expect((await subject.index.feedState()).live).toMatchObject({ tx: 5n });
  await subject.index.apply({ ...nothing, range: range(5n, 6n) }, 2n);
  await expect(subject.index.apply({ ...nothing, range: range(6n, 9n) }, 1n)).rejects.toThrow('moved');
  expect((await subject.index.feedState()).live).toMatchObject({ tx: 6n });
});

test('a company that was merged gives way to its survivor', async () => {
  const profile = 'bakes bread';
  await subject.apply({
    companies: [company(1n, 'One', { profile }), company(2n, 'Two', { profile })],
    observations: [observation(11n, 1n, 'hired a baker'), observation(12n, 2n, 'hired a miller')],
  });
  await subject.apply({
    companies: [company(2n, 'Two', { version: 2n, survivorId: 1n }), company(1n, 'One', { version: 2n, profile })],
    observations: [observation(12n, 1n, 'hired a miller', { version: 2n })],
  });
  expect(await subject.companiesFor('bread')).toEqual([1n]);
  expect(await subject.companiesFor('miller', filters({ countries: [Country.US] }))).toEqual([1n]);
});

test('a company that is gone leaves neither a description nor domains', async () => {
  const domains = [{ hostname: 'one.example' }];
  await subject.apply({
    companies: [company(1n, 'One', { profile: 'bakes bread', domains })],
    observations: [observation(11n, 1n, 'hired a baker')],
  });
  await subject.apply({ companies: [{ id: 1n, version: 2n, tombstone: true }] });
  expect(await subject.companiesFor('bread')).toEqual([]);
  expect(await subject.companiesFor('baker', filters({ domains: ['one.example'] }))).toEqual([]);
});

test('a rebuild writes known versions anew and drops what the record no longer has', async () => {
  await subject.apply({
    observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage')],
    companies: [company(1n, 'One', { profile: 'bakes bread' }), company(2n, 'Two', { profile: 'bakes bread' })],
  });
  expect(await subject.index.beginRebuild()).toBe(true);
  expect(await subject.index.beginRebuild()).toBe(false);
  const { observations, companies } = {
    observations: [observation(1n, 1n, 'flour mill')],
    companies: [company(1n, 'One')],
  };
  await subject.applyRebuild({ observations, companies });
  expect(await subject.companiesFor('battery')).toEqual([2n]);
  await subject.index.finishRebuild(0n);
  expect(await subject.index.feedState()).toMatchObject({ rebuilding: true });
  await subject.index.finishRebuild(1n);
  expect(await subject.companiesFor('battery flour bread')).toEqual([1n]);
  expect(await subject.index.size()).toMatchObject({ observations: 1n, companies: 1n });
  expect(await subject.index.feedState()).toMatchObject({ rebuilding: false });
});
