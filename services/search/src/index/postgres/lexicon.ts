import type { Queryable } from '@ces/chassis/postgres';

/** What the index knows of a word. */
export interface WordStatistics {
  /** The lexeme the word is reduced to. */
  readonly lexeme: string;
  /** Observations with it. */
  readonly entries: number;
  /** Company documents with it. */
  readonly companies: number;
}

export interface CorpusStatistics {
  readonly documents: number;
  readonly meanLength: number;
}

/** Frequencies of the words of a plan, and the sizes they are frequent in. */
export interface Lexicon {
  /** Without the words that the index leaves out. */
  readonly words: ReadonlyMap<string, WordStatistics>;
  readonly entry: CorpusStatistics;
  readonly company: CorpusStatistics;
  /** Share of the observations in the buckets that are searched, 0..1. */
  readonly windowShare: number;
}

/** Reads what ranking needs to know of words; `firstBucket` is the oldest bucket that is searched. */
export async function readLexicon(db: Queryable, words: readonly string[], firstBucket: string): Promise<Lexicon> {
  const { rows } = await db.query<{ word: string; lexeme: string; entries: bigint; companies: bigint }>(
    `select word, stem as lexeme, coalesce(e.documents, 1) as entries, coalesce(c.documents, 1) as companies
       from unnest($1::text[]) as word
      cross join lateral unnest(ts_lexize('english_stem', word)) as stem
       left join lexeme_df e on e.corpus = 'entry' and e.lexeme = stem
       left join lexeme_df c on c.corpus = 'company' and c.lexeme = stem`,
    [[...new Set(words)]],
  );
  const { rows: corpora } = await db.query<{ name: string; documents: bigint; mean_length: number; share: number }>(
    `select name, documents, mean_length,
            coalesce((select sum(entries) filter (where bucket >= $1::date) / nullif(sum(entries), 0) from bucket_size), 1)
              ::double precision as share
       from corpus`,
    [firstBucket],
  );
  const corpus = (name: string): CorpusStatistics => {
    const row = corpora.find((candidate) => candidate.name === name);
    return { documents: Number(row?.documents ?? 0n), meanLength: row?.mean_length ?? 1 };
  };
  return {
    words: new Map(
      rows.map(({ word, lexeme, entries, companies }) => [
        word,
        { lexeme, entries: Number(entries), companies: Number(companies) },
      ]),
    ),
    entry: corpus('entry'),
    company: corpus('company'),
    windowShare: corpora[0]?.share ?? 1,
  };
}
