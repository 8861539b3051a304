import type { Queryable } from '@ces/chassis/postgres/pool';
import type { IndexSize } from '../observation-index.ts';

/** Larger tables use the planner's estimate instead of a count. */
const COUNTED = 100_000;

export async function readSize(db: Queryable): Promise<IndexSize> {
  const { rows } = await db.query<IndexSize>(
    `select ${sizeOf('indexed')} as observations, ${sizeOf('company_doc')} as companies,
            (select sum(pg_total_relation_size(relid)) from pg_partition_tree('entry') where isleaf)::bigint
              + (select sum(pg_total_relation_size(name::regclass))
                   from unnest('{indexed,company_doc,company_domain}'::text[]) as name)::bigint as bytes`,
  );
  const [size] = rows;
  if (!size) throw new Error('the size was not read');
  return size;
}

function sizeOf(table: string): string {
  return `(
    select case when counted <= ${COUNTED} then counted
           else greatest(counted, (select reltuples::bigint from pg_class where oid = '${table}'::regclass)) end
      from (select count(*) as counted from (select from ${table} where not tombstone limit ${COUNTED + 1}) few) size)`;
}
