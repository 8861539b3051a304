import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, instant, observation } from '../../test/documents.ts';
import { type IndexUnderTest, openIndex } from '../../test/index-under-test.ts';

let subject: IndexUnderTest;
beforeEach(async () => {
  subject = await openIndex({}, { now: () => new Date('2026-11-20T12:00:00Z') });
});
afterEach(() => subject[Symbol.asyncDispose]());

test('descriptions that come after the words were counted are searched all the same', async () => {
  const observations = [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'flour mill')];
  await subject.apply({ observations, companies: [company(1n, 'One'), company(2n, 'Two')] });
  await subject.apply({ companies: [company(2n, 'Two', { version: 2n, profile: 'makes battery cells' })] });
  expect([...(await subject.companiesFor('battery'))].sort()).toEqual([1n, 2n]);
});

test('the planner knows the size of every table as soon as the words are counted, new buckets too', async () => {
  const dates = ['2009-05-05', '2023-05-05', '2026-10-01'].map((day) => instant(`${day}T00:00:00Z`));
  const observations = dates.map((occurredAt, at) => observation(BigInt(at + 1), 1n, 'battery plant', { occurredAt }));
  await subject.apply({ observations, companies: [company(1n, 'One')] });
  const { rows } = await subject.pool.query<{ relname: string; rows: number }>(
    `select relname, reltuples as rows from pg_class
     where relname in ('indexed', 'company_doc', 'entry_before_2020', 'entry_2023', 'entry_2026_10') order by relname`,
  );
  expect(Object.fromEntries(rows.map((row) => [row.relname, row.rows]))).toEqual({
    company_doc: 1,
    entry_2023: 1,
    entry_2026_10: 1,
    entry_before_2020: 1,
    indexed: 3,
  });
});
