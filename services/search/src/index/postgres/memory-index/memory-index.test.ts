import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../../test-support/documents.ts';
import { openMemoryIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';
import { rankInMemory } from '../../../../test-support/rank-in-memory.ts';

let subject: PostgresIndexUnderTest;
let blocker: pg.Client;

beforeAll(async () => {
  subject = await openMemoryIndex();
  blocker = new pg.Client({ connectionString: subject.database.ownerUrl });
  await blocker.connect();
  await subject.apply({
    companies: [
      company(1n, 'Harbor Cells', { profile: 'Harbor Cells makes battery cells.' }),
      company(2n, 'Corner Bakery', { profile: 'Corner Bakery bakes bread.' }),
    ],
    observations: [
      observation(11n, 1n, 'opened a battery plant in Reno, NV'),
      observation(12n, 1n, 'hires an engineer', { kind: Kind.JOB_POSTING, country: Country.CA }),
      observation(21n, 2n, 'opened a bakery', { occurredAt: instant('2026-09-01T00:00:00Z') }),
    ],
  });
});
afterAll(async () => {
  await blocker.end();
  await subject[Symbol.asyncDispose]();
});

async function foundInMemory(query: string): Promise<bigint[]> {
  const { hits } = await rankInMemory(subject, () => subject.rank(query));
  return hits.map((hit) => hit.observationId);
}

test('a search is answered without the texts in the database', async () => {
  expect(await foundInMemory('battery plant')).toEqual([11n]);
});

test('the next search finds what was written, and nothing that is withdrawn', async () => {
  await foundInMemory('battery plant');
  await subject.apply({ observations: [observation(22n, 2n, 'enlarged a battery plant')] });
  expect(await subject.companiesFor('battery plant')).toEqual([1n, 2n]);
  await subject.apply({
    observations: [{ ...observation(11n, 1n, ''), version: 2n, tombstone: true }],
    companies: [{ id: 1n, version: 2n, tombstone: true }],
  });
  expect(await subject.companiesFor('battery plant')).toEqual([2n]);
  expect(await foundInMemory('battery plant')).toEqual([22n]);
});

test('a change by code that knows of no memory index is seen like any other', async () => {
  expect(await foundInMemory('bakery')).toContain(21n);
  await blocker.query('delete from indexed where observation_id = 21');
  await blocker.query('delete from entry where observation_id = 21');
  const { hits } = await subject.rank('bakery');
  expect(hits.map((hit) => hit.observationId)).not.toContain(21n);
});

test('what a rebuild did not meet is gone', async () => {
  await foundInMemory('battery plant');
  await subject.index.beginRebuild();
  await subject.applyRebuild({ observations: [observation(31n, 3n, 'sold a battery plant')] });
  await subject.index.finishRebuild(1n);
  expect(await foundInMemory('battery plant')).toEqual([31n]);
});

test('what was changed longer ago than is noted is loaded again', async () => {
  await foundInMemory('battery plant');
  await subject.apply({ observations: [observation(32n, 3n, 'a second battery plant')] });
  await subject.apply({ observations: [observation(33n, 3n, 'a third battery plant')] });
  await blocker.query('delete from index_change where version < (select version from index_version)');
  expect((await subject.rank('battery plant')).hits).toHaveLength(3);
  expect(await foundInMemory('battery plant')).toHaveLength(3);
});

test('an answer says how far the index is that it was given from', async () => {
  await foundInMemory('battery plant');
  const { live } = await subject.index.feedState();
  expect((await subject.rank('battery plant')).position).toMatchObject({ tx: live?.tx, seq: live?.seq });
  expect((await subject.rank('battery plant', filters({ countries: [Country.CA] }))).hits).toEqual([]);
});

test('a memory index that cannot be used fails no search', async () => {
  await blocker.query('revoke select on index_version from search');
  const { hits } = await subject.rank('battery plant');
  await blocker.query('grant select on index_version to search');
  expect(hits).toHaveLength(3);
});

test('a memory index of another history of the database is not used', async () => {
  await foundInMemory('battery plant');
  await subject.apply({ observations: [observation(41n, 4n, 'a fourth battery plant')] });
  await blocker.query('begin');
  await blocker.query('create table restored (like index_version including all)');
  await blocker.query('insert into restored select true, version - 1 from index_version');
  await blocker.query('drop table index_version');
  await blocker.query('alter table restored rename to index_version');
  await blocker.query('grant select, update on index_version to search');
  await blocker.query('commit');
  expect(await foundInMemory('battery plant')).toContain(41n);
});

test('what one statement writes is noted only as far as the memory index reads it document by document', async () => {
  await foundInMemory('battery plant');
  await blocker.query(
    `insert into indexed select (jsonb_populate_record(one, jsonb_build_object('observation_id', 1000 + at))).*
       from (select indexed as one from indexed limit 1) only_one, generate_series(1, 10001) as at`,
  );
  const { rows } = await blocker.query(
    'select cardinality(observation_ids) as ids from index_change where cardinality(observation_ids) > 5',
  );
  expect(rows).toEqual([]);
  await blocker.query('delete from indexed where observation_id > 1000');
  expect((await subject.rank('battery plant')).hits).toHaveLength(4);
});

test('an index that was emptied is not searched in memory', async () => {
  await foundInMemory('battery plant');
  await blocker.query('truncate indexed, entry, company_doc, company_domain, lexeme_df, bucket_size');
  expect((await subject.rank('battery plant')).hits).toEqual([]);
});

test('the memory index is not used for an index that was put back to an earlier moment', async () => {
  await subject.apply({ observations: [observation(51n, 4n, 'a fifth battery plant')] });
  await foundInMemory('battery plant');
  await blocker.query('begin');
  for (const table of ['indexed', 'entry', 'index_version'])
    await blocker.query(`alter table ${table} disable trigger user`);
  await blocker.query('create temp table before on commit drop as select version from index_version');
  await blocker.query('truncate indexed, entry, index_version');
  await blocker.query('insert into index_version select true, version - 1 from before');
  for (const table of ['indexed', 'entry', 'index_version'])
    await blocker.query(`alter table ${table} enable trigger user`);
  await blocker.query('commit');
  expect((await subject.rank('battery plant')).hits).toEqual([]);
});
