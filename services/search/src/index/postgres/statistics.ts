import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres';

/** Rows whose words are counted; beyond that a sample stands for all. */
const COUNTED_ROWS = 200_000;

/** Renews document frequencies when the number of documents has moved by a tenth since the last time. */
export async function refreshStatistics(pool: Pool): Promise<void> {
  if (await hasMoved(pool, 'entry', 'select count(*) from indexed where not tombstone')) {
    await refreshCorpus(pool, 'entry', 'entry');
    await refreshBuckets(pool);
  }
  if (await hasMoved(pool, 'company', 'select count(*) from company_doc where not tombstone'))
    await refreshCorpus(pool, 'company', 'company_doc');
}

async function hasMoved(db: Queryable, corpus: string, count: string): Promise<boolean> {
  const { rows } = await db.query<{ moved: boolean }>(
    `select abs(documents - (${count})) > documents / 10 as moved from corpus where name = $1`,
    [corpus],
  );
  return rows[0]?.moved ?? false;
}

async function refreshCorpus(pool: Pool, corpus: string, table: string): Promise<void> {
  const { rows } = await pool.query<{ documents: bigint; mean: number | null }>(
    `select count(*) as documents, avg(length)::double precision as mean from ${table}`,
  );
  const documents = rows[0]?.documents ?? 0n;
  const share = Math.min(1, COUNTED_ROWS / Math.max(1, Number(documents)));
  const sample = share < 1 ? ` tablesample system (${(share * 100).toFixed(3)})` : '';
  await inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    await client.query(
      `with counted as materialized (
         select word, round(ndoc / $2::double precision)::bigint as ndoc
           from ts_stat($3) where ndoc > 1
       ), gone as (
         delete from lexeme_df where corpus = $1 and lexeme not in (select word from counted)
       )
       insert into lexeme_df (corpus, lexeme, documents)
       select $1, word, ndoc from counted
       on conflict (corpus, lexeme) do update set documents = excluded.documents
        where lexeme_df.documents <> excluded.documents`,
      [corpus, share, `select text from ${table}${sample}`],
    );
    await client.query('update corpus set documents = $2, mean_length = $3 where name = $1', [
      corpus,
      documents,
      rows[0]?.mean ?? 1,
    ]);
  });
}

async function refreshBuckets(pool: Pool): Promise<void> {
  await pool.query(
    `insert into bucket_size (bucket, entries)
     select bucket, count(*) from indexed where not tombstone group by bucket
     on conflict (bucket) do update set entries = excluded.entries`,
  );
}
