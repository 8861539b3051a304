/** What an index knows of a word. */
export interface WordStatistics {
  /** The lexeme the word is reduced to. */
  readonly lexeme: string;
  /** Observations with it. */
  readonly entries: number;
  /** Descriptions of companies with it. */
  readonly descriptions: number;
}

export interface CorpusStatistics {
  readonly documents: number;
  /** In words. */
  readonly meanLength: number;
}

/** Frequencies of the words of a plan, and the sizes they are frequent in. */
export interface Lexicon {
  /** Without the words that the index leaves out. */
  readonly words: ReadonlyMap<string, WordStatistics>;
  readonly entry: CorpusStatistics;
  readonly description: CorpusStatistics;
  /** Share of the observations in the buckets that are searched, 0..1. */
  readonly windowShare: number;
}
