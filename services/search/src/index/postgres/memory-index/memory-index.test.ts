import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { Code } from '@connectrpc/connect';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../../test-support/documents.ts';
import { planOfWords } from '../../../../test-support/index-under-test.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';

let subject: PostgresIndexUnderTest;
let blocker: pg.Client;

beforeAll(async () => {
  subject = await openPostgresIndex();
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

async function found(query: string): Promise<bigint[]> {
  const { hits } = await subject.rank(query);
  return hits.map((hit) => hit.observationId);
}

test('a search is answered without the texts in the database', async () => {
  await found('battery plant');
  await blocker.query('begin');
  await blocker.query('lock table entry, indexed, company_doc in access exclusive mode');
  expect(await found('battery plant')).toEqual([11n]);
  await blocker.query('rollback');
});

test('a search that cannot wait for the index fails as unavailable', async () => {
  await found('battery plant');
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  await blocker.query('update index_version set version = version + 1');
  await blocker.query('insert into index_change select version, array[11], array[]::bigint[] from index_version');
  await blocker.query('commit');
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  const query = { plan: planOfWords(['battery']), filters: filters(), companies: 9, observationsPerCompany: 3 };
  const asked = subject.index.rank({ ...query, timeoutMs: 50 });
  await expect(asked).rejects.toMatchObject({ code: Code.Unavailable });
  await blocker.query('rollback');
  expect(await found('battery plant')).toEqual([11n]);
});

test('the index follows the database without a search', async () => {
  const ended = new AbortController();
  const following = subject.memory.keepUp(ended.signal);
  await subject.apply({ observations: [observation(13n, 1n, 'opened a foundry')] });
  await expect.poll(() => foundWithoutTexts('foundry'), { timeout: 60_000 }).toEqual([13n]);
  await subject.apply({ observations: [{ ...observation(13n, 1n, ''), version: 2n, tombstone: true }] });
  ended.abort();
  await following;
  expect(subject.memory.state()).toMatchObject({ isLoaded: true, leftOut: 0 });
});

async function foundWithoutTexts(query: string): Promise<bigint[] | undefined> {
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  const within = { filters: filters(), companies: 9, observationsPerCompany: 3, timeoutMs: 300 };
  const ranking = await subject.index.rank({ ...within, plan: planOfWords([query]) }).catch(() => undefined);
  await blocker.query('rollback');
  return ranking?.hits.map((hit) => hit.observationId);
}

test('the next search finds written documents, and no withdrawn ones', async () => {
  await found('battery plant');
  await subject.apply({ observations: [observation(22n, 2n, 'enlarged a battery plant')] });
  expect(await subject.companiesFor('battery plant')).toEqual([1n, 2n]);
  await subject.apply({
    observations: [{ ...observation(11n, 1n, ''), version: 2n, tombstone: true }],
    companies: [{ id: 1n, version: 2n, tombstone: true }],
  });
  expect(await subject.companiesFor('battery plant')).toEqual([2n]);
  expect(await found('battery plant')).toEqual([22n]);
});

test('a change by code that knows of no memory index is seen like any other', async () => {
  expect(await found('bakery')).toContain(21n);
  await blocker.query('delete from indexed where observation_id = 21');
  await blocker.query('delete from entry where observation_id = 21');
  const { hits } = await subject.rank('bakery');
  expect(hits.map((hit) => hit.observationId)).not.toContain(21n);
});

test('documents that a rebuild did not meet are removed', async () => {
  await found('battery plant');
  await subject.index.beginRebuild();
  await subject.applyRebuild({ observations: [observation(31n, 3n, 'sold a battery plant')] });
  await subject.index.finishRebuild(1n);
  expect(await found('battery plant')).toEqual([31n]);
});

test('changes older than the change log are loaded from the tables', async () => {
  await found('battery plant');
  await subject.apply({ observations: [observation(32n, 3n, 'a second battery plant')] });
  await subject.apply({ observations: [observation(33n, 3n, 'a third battery plant')] });
  await blocker.query('delete from index_change where version < (select version from index_version)');
  expect((await subject.rank('battery plant')).hits).toHaveLength(3);
  expect(await found('battery plant')).toHaveLength(3);
});

test('an answer says how far the index is that it was given from', async () => {
  await found('battery plant');
  const { live } = await subject.index.feedState();
  expect((await subject.rank('battery plant')).position).toMatchObject({ tx: live?.tx, seq: live?.seq });
  await subject.apply({});
  expect((await subject.rank('battery plant')).position?.tx).toBe((live?.tx ?? 0n) + 1n);
  expect((await subject.rank('battery plant', filters({ countries: [Country.CA] }))).hits).toEqual([]);
});

test('a memory index of another history of the database is not used', async () => {
  await found('battery plant');
  await subject.apply({ observations: [observation(41n, 4n, 'a fourth battery plant')] });
  await blocker.query('begin');
  await blocker.query('create table restored (like index_version including all)');
  await blocker.query('insert into restored select true, version - 1 from index_version');
  await blocker.query('drop table index_version');
  await blocker.query('alter table restored rename to index_version');
  await blocker.query('grant select, update on index_version to search');
  await blocker.query('commit');
  expect(await found('battery plant')).toContain(41n);
});

test('changes of a statement are logged only while the memory index reads them document by document', async () => {
  await found('battery plant');
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

test('an index that was emptied finds nothing', async () => {
  await found('battery plant');
  await blocker.query('truncate indexed, entry, company_doc, company_domain');
  expect((await subject.rank('battery plant')).hits).toEqual([]);
});

test('the memory index is not used for an index that was put back to an earlier moment', async () => {
  await subject.apply({ observations: [observation(51n, 4n, 'a fifth battery plant')] });
  await found('battery plant');
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
