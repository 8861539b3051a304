import { createPool } from '@ces/chassis/postgres/pool';
import { createTestDatabase } from '@ces/test/support/database.ts';
import { expect, test } from 'vitest';
import { logger } from '../../test-support/stack.ts';

test('partitions of the baseline and those that are made later have the indexes of the list, each once', async () => {
  await using database = await createTestDatabase('operations');
  await using owner = open(database.ownerUrl);
  const before = await partitions(owner.pool);
  expect(await listed(owner.pool)).toEqual(before.map((name) => ({ name, listing: 1, failed: 1, valid: true })));
  await owner.pool.query('select prepare_operation_partitions($1)', [9n << 24n]);
  const after = await partitions(owner.pool);
  expect(after.length).toBeGreaterThan(before.length);
  expect(await listed(owner.pool)).toEqual(after.map((name) => ({ name, listing: 1, failed: 1, valid: true })));
});

type Pool = ReturnType<typeof createPool>;

function open(connectionString: string): AsyncDisposable & { readonly pool: Pool } {
  const pool = createPool({ connectionString, max: 2, applicationName: 'test', logger });
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}

async function partitions(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from operation_partition order by name');
  return rows.map(({ name }) => name);
}

/**
 * Counts a partition's indexes that are attached to each index of the whole table, and checks that
 * they are valid.
 */
async function listed(pool: Pool) {
  const { rows } = await pool.query(
    `select t.relname::text as name, bool_and(x.indisvalid) as valid,
       count(*) filter (where p.relname = 'operation_listing')::int as listing,
       count(*) filter (where p.relname = 'operation_failed')::int as failed
     from pg_index x
     join pg_class t on t.oid = x.indrelid
     join pg_inherits i on i.inhrelid = x.indexrelid
     join pg_class p on p.oid = i.inhparent
     where t.oid in (select relid from pg_partition_tree('operation') where isleaf)
     group by t.relname order by t.relname`,
  );
  return rows;
}
