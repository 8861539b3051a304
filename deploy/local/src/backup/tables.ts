import type { Queryable } from '@ces/chassis/postgres/pool';

/** A table with the columns that are written, those that the server computes left out. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** All tables of a database but that of its migrations, a partitioned one once. */
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

/** The last number that each sequence has given, as text; 0 where it has given none. */
export async function listSequences(db: Queryable): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string; last: string }>(
    `select sequencename as name, coalesce(last_value, 0)::text as last from pg_sequences
     where schemaname = 'public' order by sequencename`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** The migrations a database has, in their order. */
export async function listMigrations(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from migration order by id');
  return rows.map((row) => row.name);
}
