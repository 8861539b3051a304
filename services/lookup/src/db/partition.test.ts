import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createDatabaseBefore } from '@ces/test/support/database.ts';
import { afterAll, expect, test } from 'vitest';

const FIRST_OF_PARTITIONS = '0012';
const logger = createLogger('test', 'silent');
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

test('a record from before partitions keeps its rows, ids and positions, and goes on from them', async () => {
  const { owner, upgrade } = await databaseFromBefore();
  await fill(owner, 'before');
  await upgrade();
  await fill(owner, 'after');
  const { rows } = await owner.query(
    `select (select array_agg(tableoid::regclass::text || ' ' || id order by id) from observation) as observations,
            (select array_agg(tableoid::regclass::text || ' ' || id order by id) from evidence) as evidence,
            (select array_agg(tableoid::regclass::text || ' ' || seq order by seq) from change) as changes`,
  );
  expect(rows).toEqual([
    {
      observations: ['observation_0 1', 'observation_0 2'],
      evidence: ['evidence_0 1', 'evidence_0 2'],
      changes: ['change_0 1', 'change_0 2'],
    },
  ]);
});

test('every rule over the rows of before is known to hold, and no index is invalid', async () => {
  const { owner, upgrade } = await databaseFromBefore();
  await fill(owner, 'before');
  await upgrade();
  const { rows } = await owner.query(
    `select conrelid::regclass::text as of, conname::text as name from pg_constraint where not convalidated
     union all select indrelid::regclass::text, indexrelid::regclass::text from pg_index where not indisvalid`,
  );
  expect(rows).toEqual([]);
  for (const statement of [
    'delete from observation_0',
    'insert into evidence (observation_id, source_uri, excerpt, observed_at, source, passage_hash) values (99, $$https://x.example$$, $$x$$, now(), $$s$$, sha256($$p$$))',
  ])
    await expect(owner.query(statement)).rejects.toThrow('violates foreign key constraint');
});

async function databaseFromBefore(): Promise<{ owner: Pool; upgrade: () => Promise<number> }> {
  const database = cleanup.use(await createDatabaseBefore('lookup', FIRST_OF_PARTITIONS));
  const owner = createPool({ connectionString: database.ownerUrl, max: 2, applicationName: 'test', logger });
  cleanup.defer(() => owner.end());
  return { owner, upgrade: database.upgrade };
}

/** One of each, as code from before the provenance of evidence writes them. */
async function fill(owner: Pool, key: string): Promise<void> {
  await owner.query(
    `with c as (insert into company (id, survivor_id, name, country) select n, n, 'C', 'CA' from nextval('company_id_seq') n returning id),
     o as (
       insert into observation (company_id, source, origin, kind, demand_class, observed_fact, why_it_may_matter, country,
              confidence, occurred_at, observed_at, recorded_at)
       select id, 's', 's', 'job_posting', 'proxy', 'f', 'w', 'CA', 0.5, now(), now(), date_trunc('milliseconds', now()) from c
       returning id),
     r as (
       insert into source_record (source, key, observation_id, content_hash, seen_at)
       select 's', $1, id, sha256('c'), now() from o),
     e as (
       insert into evidence (observation_id, source_uri, excerpt, observed_at, source)
       select id, 'https://s.example/', 'x', now(), 's' from o)
     insert into change (observation_id) select id from o`,
    [key],
  );
}
