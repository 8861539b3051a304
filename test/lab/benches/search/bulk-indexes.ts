import type { Queryable } from '@ces/chassis/postgres/pool';
import { runInSessions } from './bulk-sessions.ts';

interface DroppedIndex {
  readonly name: string;
  readonly definition: string;
  readonly partitioned: boolean;
  readonly parent: string | null;
  readonly of: string;
}

const BUILDING = { maintenance_work_mem: '1GB', max_parallel_maintenance_workers: '0' };

/** Drops all indexes except keys. Inserts in id order extend keys only at their end. */
export async function dropIndexes(owner: Queryable, tables: readonly string[]): Promise<readonly DroppedIndex[]> {
  const { rows } = await owner.query<DroppedIndex>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, relkind = 'I' as partitioned,
            inhparent::regclass::text as parent, indrelid::regclass::text as of
       from pg_index join pg_class on pg_class.oid = indexrelid left join pg_inherits on inhrelid = indexrelid
      where indrelid = any($1::text[]::regclass[])
        and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { name, parent } of rows) if (parent === null) await owner.query(`drop index ${name}`);
  return rows;
}

export async function makeIndexes(
  owner: Queryable,
  ownerUrl: string,
  dropped: readonly DroppedIndex[],
  onDone: (share: number) => void,
): Promise<void> {
  for (const { partitioned, definition } of dropped) if (partitioned) await owner.query(definition);
  const { rows } = await owner.query<{ definition: string }>(
    `select definition from unnest($1::text[], $2::text[]) as wanted (definition, name)
      order by pg_relation_size(name::regclass) desc`,
    [
      dropped.filter((index) => !index.partitioned).map((index) => index.definition),
      dropped.filter((index) => !index.partitioned).map((index) => index.of),
    ],
  );
  await runInSessions(
    ownerUrl,
    BUILDING,
    rows.map((row) => row.definition),
    onDone,
  );
  for (const { parent, name } of dropped)
    if (parent !== null) await owner.query(`alter index ${parent} attach partition ${name}`);
}
