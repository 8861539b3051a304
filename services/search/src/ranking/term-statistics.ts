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
  /** All buckets, the newest first. */
  readonly buckets: readonly BucketSize[];
  readonly sharesOf: Shares;
}

/** Share of all observations that is of each kind and country, 0..1; none where it is not known, none of the rarest. */
export interface Shares {
  readonly kind: ReadonlyMap<number, number>;
  readonly country: ReadonlyMap<number, number>;
}

/** A stretch of time the index keeps together, and how many observations it holds. */
export interface BucketSize {
  readonly bucket: string;
  readonly entries: number;
  /** Whether the search looks into it. */
  readonly searched: boolean;
}
