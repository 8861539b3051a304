import type { Queryable } from '@ces/chassis/postgres/pool';
import type { CorpusStatistics, TermStatistics } from '../../../ranking/term-statistics.ts';
import type { IndexSize } from '../../observation-index.ts';
import type { PartitionSize, Shares } from '../retrieval/retrieval-cost.ts';

const READ_WORDS = `select word, stem as lexeme, coalesce(e.documents, 1) as observations, coalesce(c.documents, 1) as descriptions
       from unnest($1::text[]) as word
      cross join lateral unnest(ts_lexize('english_stem', word)) as stem
       left join lexeme_df e on e.corpus = 'entry' and e.lexeme = stem
       left join lexeme_df c on c.corpus = 'description' and c.lexeme = stem`;
const READ_PARTITIONS = 'select bucket::text, entries from bucket_size order by bucket_size.bucket desc';
const READ_SHARES = `select value, share
       from pg_stats
      cross join lateral unnest(most_common_vals::text::int[], most_common_freqs::float8[]) as known (value, share)
      where schemaname = current_schema() and tablename = 'indexed' and attname = $1`;

interface WordRow {
  readonly word: string;
  readonly lexeme: string;
  readonly observations: bigint;
  readonly descriptions: bigint;
}

interface CorpusRow {
  readonly name: string;
  readonly documents: bigint;
  readonly mean_length: number;
}

interface PartitionRow {
  readonly bucket: string;
  readonly entries: bigint;
}

/** Sizes are those of the last word count. */
export interface IndexStatistics {
  readonly observations: CorpusStatistics;
  readonly descriptions: CorpusStatistics;
  readonly partitions: readonly PartitionSize[];
  readonly sharesOf: Shares;
}

export async function readTermStatistics(
  db: Queryable,
  words: readonly string[],
  { observations, descriptions }: IndexStatistics,
): Promise<TermStatistics> {
  const values = [[...new Set(words)]];
  const { rows } = await db.query<WordRow>({ name: 'read-words', text: READ_WORDS, values });
  return {
    observations,
    descriptions,
    words: new Map(
      rows.map((row) => [
        row.word,
        { lexeme: row.lexeme, observations: Number(row.observations), descriptions: Number(row.descriptions) },
      ]),
    ),
  };
}

export async function readIndexStatistics(db: Queryable): Promise<IndexStatistics> {
  const { rows: corpora } = await db.query<CorpusRow>('select name, documents, mean_length from corpus');
  const { rows: partitions } = await db.query<PartitionRow>(READ_PARTITIONS);
  const corpus = (name: string): CorpusStatistics => {
    const row = corpora.find((candidate) => candidate.name === name);
    return { documents: Number(row?.documents ?? 0n), meanLength: row?.mean_length ?? 1 };
  };
  return {
    observations: corpus('entry'),
    descriptions: corpus('description'),
    partitions: partitions.map((row) => ({ partition: row.bucket, observations: Number(row.entries) })),
    sharesOf: { kind: await readShares(db, 'kind'), country: await readShares(db, 'country') },
  };
}

async function readShares(db: Queryable, column: 'kind' | 'country'): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.query<{ value: number; share: number }>(READ_SHARES, [column]);
  return new Map(rows.map(({ value, share }) => [value, share]));
}

export async function readLexemes(db: Queryable, words: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ word: string; lexeme: string }>(
    `select word, lexeme from unnest($1::text[]) as word cross join lateral unnest(ts_lexize('english_stem', word)) as lexeme`,
    [[...new Set(words)]],
  );
  return new Map(rows.map(({ word, lexeme }) => [word, lexeme]));
}

/** Larger tables use the planner's estimate instead of a count. */
const COUNTED = 100_000;

/** The counts are exact for small indexes. */
export async function readSize(db: Queryable): Promise<IndexSize> {
  const { rows } = await db.query<IndexSize>(
    `select ${sizeOf('indexed')} as observations, ${sizeOf('company_doc')} as companies,
            (select sum(pg_total_relation_size(relid)) from pg_partition_tree('entry') where isleaf)::bigint
              + (select sum(pg_total_relation_size(name::regclass))
                   from unnest('{indexed,company_doc,company_domain,lexeme_df}'::text[]) as name)::bigint as bytes`,
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
