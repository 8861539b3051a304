/** What an index knows of a word. */
interface WordStatistics {
  /** The lexeme that the word is reduced to. */
  readonly lexeme: string;
  /** Observations with it. */
  readonly observations: number;
  /** Descriptions of companies with it. */
  readonly descriptions: number;
}

export interface CorpusStatistics {
  readonly documents: number;
  /** In words. */
  readonly meanLength: number;
}

/** How frequent the words of a plan are, and the sizes of the two corpora that they are frequent in. */
export interface TermStatistics {
  /** Without the words that the index leaves out. */
  readonly words: ReadonlyMap<string, WordStatistics>;
  readonly observations: CorpusStatistics;
  readonly descriptions: CorpusStatistics;
}
