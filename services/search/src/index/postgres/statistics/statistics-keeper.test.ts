import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, instant, observation } from '../../../../test-support/documents.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../test-support/postgres-index.ts';

let subject: PostgresIndexUnderTest;
beforeEach(async () => {
  subject = await openPostgresIndex({ clock: { now: () => new Date('2026-11-20T12:00:00Z') } });
});
afterEach(() => subject[Symbol.asyncDispose]());

test('the planner of the server knows the size of every table as soon as the words are counted, new partitions too', async () => {
  const dates = ['2009-05-05', '2023-05-05', '2026-10-01'].map((day) => instant(`${day}T00:00:00Z`));
  const observations = dates.map((occurredAt, at) => observation(BigInt(at + 1), 1n, 'battery plant', { occurredAt }));
  await subject.apply({ observations, companies: [company(1n, 'One')] });
  const { rows } = await subject.pool.query<{ relname: string; known: number; held: number }>(
    `select c.relname, c.reltuples as known, t.held
     from (select tableoid, count(*)::integer as held from entry group by tableoid
           union all select 'indexed'::regclass, count(*)::integer from indexed
           union all select 'company_doc'::regclass, count(*)::integer from company_doc) t
     join pg_class c on c.oid = t.tableoid`,
  );
  expect(rows).toHaveLength(5);
  for (const { relname, known, held } of rows) expect([relname, known]).toEqual([relname, held]);
});

test('a process that starts over an index whose words are counted does not count them again', async () => {
  await subject.apply({ observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery mill')] });
  await subject.pool.query('delete from lexeme_df');
  await subject.another({}).refreshStatistics();
  expect((await subject.pool.query('select from lexeme_df')).rowCount).toBe(0);
  await subject.pool.query(`update corpus set documents = 1 where name = 'entry'`);
  await subject.another({}).refreshStatistics();
  expect((await subject.pool.query('select from lexeme_df')).rowCount).toBeGreaterThan(0);
});

test('while more is to come words are counted when the index has doubled, and afterwards by the share that is due otherwise', async () => {
  const countedOf = async () => {
    const { rows } = await subject.pool.query<{ documents: bigint }>(
      `select documents from corpus where name = 'entry'`,
    );
    return Number(rows[0]?.documents);
  };
  let written = 0;
  const applyMore = async (count: number) => {
    const observations = Array.from({ length: count }, (_, at) =>
      observation(BigInt(written + at + 1), 1n, 'battery plant'),
    );
    written += count;
    await subject.apply({ observations });
    return await countedOf();
  };
  expect(await applyMore(300)).toBe(300);
  expect(await applyMore(299)).toBe(300);
  expect(await applyMore(300)).toBe(899);
  expect(await applyMore(300)).toBe(899);
  await subject.index.refreshStatistics();
  expect(await countedOf()).toBe(1_199);
});
