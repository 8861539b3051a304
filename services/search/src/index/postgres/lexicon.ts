import type { Queryable } from '@ces/chassis/postgres';
import type { CorpusStatistics, Lexicon } from '../../ranking/lexicon.ts';

const READ_WORDS = `select word, stem as lexeme, coalesce(e.documents, 1) as entries, coalesce(c.documents, 1) as descriptions
       from unnest($1::text[]) as word
      cross join lateral unnest(ts_lexize('english_stem', word)) as stem
       left join lexeme_df e on e.corpus = 'entry' and e.lexeme = stem
       left join lexeme_df c on c.corpus = 'description' and c.lexeme = stem`;
const READ_BUCKETS =
  'select bucket::text, entries, bucket >= $1::date as searched from bucket_size order by bucket_size.bucket desc';

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
  readonly searched: boolean;
}

/** Reads what ranking needs to know of words; `firstBucket` is the oldest bucket that is searched. */
export async function readLexicon(db: Queryable, words: readonly string[], firstBucket: string): Promise<Lexicon> {
  const [{ rows }, { rows: corpora }, { rows: buckets }] = await Promise.all([
    db.query<WordRow>({ name: 'read-words', text: READ_WORDS, values: [[...new Set(words)]] }),
    db.query<CorpusRow>({ name: 'read-corpora', text: 'select name, documents, mean_length from corpus' }),
    db.query<BucketRow>({ name: 'read-buckets', text: READ_BUCKETS, values: [firstBucket] }),
  ]);
  const corpus = (name: string): CorpusStatistics => {
    const row = corpora.find((candidate) => candidate.name === name);
    return { documents: Number(row?.documents ?? 0n), meanLength: row?.mean_length ?? 1 };
  };
  return {
    words: new Map(
      rows.map(({ word, lexeme, entries, descriptions }) => [
        word,
        { lexeme, entries: Number(entries), descriptions: Number(descriptions) },
      ]),
    ),
    entry: corpus('entry'),
    description: corpus('description'),
    buckets: buckets.map((row) => ({ ...row, entries: Number(row.entries) })),
  };
}

/** The lexeme of each word that the index keeps. */
export async function readLexemes(db: Queryable, words: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ word: string; lexeme: string }>(
    `select word, lexeme from unnest($1::text[]) as word cross join lateral unnest(ts_lexize('english_stem', word)) as lexeme`,
    [[...new Set(words)]],
  );
  return new Map(rows.map(({ word, lexeme }) => [word, lexeme]));
}
