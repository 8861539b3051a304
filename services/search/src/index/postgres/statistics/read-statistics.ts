import type { Queryable } from '@ces/chassis/postgres/pool';
import type { CorpusStatistics, Lexicon, Shares } from '../../../ranking/term-statistics.ts';

const READ_WORDS = `select word, stem as lexeme, coalesce(e.documents, 1) as entries, coalesce(c.documents, 1) as descriptions
       from unnest($1::text[]) as word
      cross join lateral unnest(ts_lexize('english_stem', word)) as stem
       left join lexeme_df e on e.corpus = 'entry' and e.lexeme = stem
       left join lexeme_df c on c.corpus = 'description' and c.lexeme = stem`;
const READ_BUCKETS = 'select bucket::text, entries from bucket_size order by bucket_size.bucket desc';
const READ_SHARES = `select value, share
       from pg_stats
      cross join lateral unnest(most_common_vals::text::int[], most_common_freqs::float8[]) as known (value, share)
      where schemaname = current_schema() and tablename = 'indexed' and attname = $1`;

interface WordRow {
  readonly word: string;
  readonly lexeme: string;
  readonly entries: bigint;
  readonly descriptions: bigint;
}

interface CorpusRow {
  readonly name: string;
  readonly documents: bigint;
  readonly mean_length: number;
}

interface BucketRow {
  readonly bucket: string;
  readonly entries: bigint;
}

/** How much the index holds; changes when words are counted. */
export interface IndexSizes {
  readonly entry: CorpusStatistics;
  readonly description: CorpusStatistics;
  /** All buckets, the newest first. */
  readonly buckets: readonly { readonly bucket: string; readonly entries: number }[];
  readonly sharesOf: Shares;
}

/** Reads what ranking needs to know of words; `firstBucket` is the oldest bucket that is searched. */
export async function readLexicon(
  db: Queryable,
  words: readonly string[],
  { buckets, ...corpora }: IndexSizes,
  firstBucket: string,
): Promise<Lexicon> {
  const values = [[...new Set(words)]];
  const { rows } = await db.query<WordRow>({ name: 'read-words', text: READ_WORDS, values });
  return {
    ...corpora,
    words: new Map(
      rows.map(({ word, lexeme, entries, descriptions }) => [
        word,
        { lexeme, entries: Number(entries), descriptions: Number(descriptions) },
      ]),
    ),
    buckets: buckets.map((size) => ({ ...size, searched: size.bucket >= firstBucket })),
  };
}

/** Reads how much the index holds. */
export async function readSizes(db: Queryable): Promise<IndexSizes> {
  const { rows: corpora } = await db.query<CorpusRow>('select name, documents, mean_length from corpus');
  const { rows: buckets } = await db.query<BucketRow>(READ_BUCKETS);
  const corpus = (name: string): CorpusStatistics => {
    const row = corpora.find((candidate) => candidate.name === name);
    return { documents: Number(row?.documents ?? 0n), meanLength: row?.mean_length ?? 1 };
  };
  return {
    entry: corpus('entry'),
    description: corpus('description'),
    buckets: buckets.map(({ bucket, entries }) => ({ bucket, entries: Number(entries) })),
    sharesOf: { kind: await readShares(db, 'kind'), country: await readShares(db, 'country') },
  };
}

/** By the statistics of the server's planner, which cost nothing to read. */
async function readShares(db: Queryable, column: 'kind' | 'country'): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.query<{ value: number; share: number }>(READ_SHARES, [column]);
  return new Map(rows.map(({ value, share }) => [value, share]));
}

/** The lexeme of each word that the index keeps. */
export async function readLexemes(db: Queryable, words: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ word: string; lexeme: string }>(
    `select word, lexeme from unnest($1::text[]) as word cross join lateral unnest(ts_lexize('english_stem', word)) as lexeme`,
    [[...new Set(words)]],
  );
  return new Map(rows.map(({ word, lexeme }) => [word, lexeme]));
}
