import type { Queryable } from '@ces/chassis/postgres/pool';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface Partition {
  readonly table: string;
  readonly from?: string;
  readonly to: string;
}

export async function listTables(db: Queryable): Promise<Table[]> {
  const { rows } = await db.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'migration' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
  );
  return rows;
}

/** Partitions in the order of their ranges, without default partitions. */
export async function listPartitions(db: Queryable): Promise<Partition[]> {
  const { rows } = await db.query<{ table: string; from: string | null; to: string }>(
    `select bound.table, bound.from, bound.to
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class t on t.oid = i.inhparent,
       lateral (
         select t.relname as table,
           substring(pg_get_expr(c.relpartbound, c.oid) from $re$FROM \\('(.*?)'\\)$re$) as from,
           substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \\('(.*?)'\\)$re$) as to
       ) as bound
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'p' and bound.to is not null
     order by bound.table, length(bound.from) nulls first, bound.from`,
  );
  return rows.map(({ table, from, to }) => ({ table, to, ...(from !== null && { from }) }));
}

export async function listSequences(db: Queryable): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string; last: string }>(
    `select sequencename as name, coalesce(last_value, 0)::text as last from pg_sequences
     where schemaname = 'public' order by sequencename`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

export async function listMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from migration order by id');
  return rows.map((row) => row.name);
}
