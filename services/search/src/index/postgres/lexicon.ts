import type { Queryable } from '@ces/chassis/postgres';
import type { CorpusStatistics, Lexicon } from '../../ranking/lexicon.ts';

/** Reads what ranking needs to know of words; `firstBucket` is the oldest bucket that is searched. */
export async function readLexicon(db: Queryable, words: readonly string[], firstBucket: string): Promise<Lexicon> {
  const { rows } = await db.query<{ word: string; lexeme: string; entries: bigint; descriptions: bigint }>(
    `select word, stem as lexeme, coalesce(e.documents, 1) as entries, coalesce(c.documents, 1) as descriptions
       from unnest($1::text[]) as word
      cross join lateral unnest(ts_lexize('english_stem', word)) as stem
       left join lexeme_df e on e.corpus = 'entry' and e.lexeme = stem
       left join lexeme_df c on c.corpus = 'description' and c.lexeme = stem`,
    [[...new Set(words)]],
  );
  const { rows: corpora } = await db.query<{ name: string; documents: bigint; mean_length: number }>(
    'select name, documents, mean_length from corpus',
  );
  const { rows: buckets } = await db.query<{ bucket: string; entries: bigint; searched: boolean }>(
    'select bucket::text, entries, bucket >= $1::date as searched from bucket_size order by bucket_size.bucket desc',
    [firstBucket],
  );
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
