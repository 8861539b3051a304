import { allowLongStatements } from '@ces/chassis/postgres/long-statements';
import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';

/** At most this many rows are counted. A larger corpus is sampled. */
export const COUNTED_ROWS = 200_000;

interface Corpus {
  readonly name: 'entry' | 'description';
  readonly table: string;
  readonly documents: string;
}

const CORPORA: readonly Corpus[] = [
  { name: 'entry', table: 'entry', documents: 'true' },
  { name: 'description', table: 'company_doc', documents: 'length > 0' },
];

/**
 * Renews document frequencies, mean lengths and partition sizes. It is slow, but uses its own
 * connection and blocks no search.
 */
export async function refreshStatistics(pool: Pool): Promise<void> {
  for (const corpus of CORPORA) await refreshCorpus(pool, corpus);
  await analyseTables(pool);
  await pool.query(
    `insert into bucket_size (bucket, entries)
     select bucket, count(*) from indexed where not tombstone group by bucket
     on conflict (bucket) do update set entries = excluded.entries`,
  );
}

/**
 * Autovacuum analyses tables only a minute after a bulk load. Until then the planner assumes empty
 * tables, and a search takes seconds.
 */
async function analyseTables(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await allowLongStatements(client);
    await client.query('analyze indexed, entry, company_doc, company_domain');
  });
}

export async function countedObservations(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ documents: bigint }>(`select documents from corpus where name = 'entry'`);
  return Number(rows[0]?.documents ?? 0n);
}

/** Estimates the observations added or removed since the count from `reltuples`. */
export async function uncountedObservations(db: Queryable, counted: number): Promise<number> {
  const { rows } = await db.query<{ observations: number }>(
    `select sum(greatest(reltuples, 0)) as observations
       from pg_partition_tree('entry') join pg_class on oid = relid where isleaf`,
  );
  return Math.abs((rows[0]?.observations ?? 0) - counted);
}

async function refreshCorpus(pool: Pool, { name, table, documents }: Corpus): Promise<void> {
  await inTransaction(pool, async (client) => {
    await allowLongStatements(client);
    const { rows } = await client.query<{ documents: bigint; mean_length: number | null }>(
      `select count(*) as documents, avg(length)::double precision as mean_length from ${table} where ${documents}`,
    );
    const [size] = rows;
    const share = Math.min(1, COUNTED_ROWS / Math.max(1, Number(size?.documents ?? 0n)));
    const sample = share < 1 ? ` tablesample system (${(share * 100).toFixed(3)})` : '';
    await client.query(
      `with counted as materialized (
         select word, round(ndoc / $2::double precision)::bigint as documents from ts_stat($3) where ndoc > 1
       ), gone as (
         delete from lexeme_df where corpus = $1 and lexeme not in (select word from counted)
       )
       insert into lexeme_df (corpus, lexeme, documents)
       select $1, word, documents from counted
       on conflict (corpus, lexeme) do update set documents = excluded.documents
        where lexeme_df.documents <> excluded.documents`,
      [name, share, `select text from ${table}${sample} where ${documents}`],
    );
    await client.query('update corpus set documents = $2, mean_length = $3 where name = $1', [
      name,
      size?.documents ?? 0n,
      Math.max(1, size?.mean_length ?? 1),
    ]);
  });
}
