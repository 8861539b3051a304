import type { Queryable } from '@ces/chassis/postgres/pool';
import type { IndexSize } from '../../observation-index.ts';

/** What the index holds and how much room it takes. */
export async function readSize(db: Queryable): Promise<IndexSize> {
  const { rows } = await db.query<IndexSize>(
    `select (select count(*) from indexed where not tombstone) as observations,
            (select count(*) from company_doc where not tombstone) as companies,
            (select sum(pg_total_relation_size(relid)) from pg_partition_tree('entry') where isleaf)::bigint
              + (select sum(pg_total_relation_size(name::regclass))
                   from unnest('{indexed,company_doc,company_domain,lexeme_df}'::text[]) as name)::bigint as bytes`,
  );
  const [size] = rows;
  if (!size) throw new Error('the size was not read');
  return size;
}
