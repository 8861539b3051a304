interface WordStatistics {
  readonly lexeme: string;
  readonly observations: number;
  readonly descriptions: number;
}

export interface CorpusStatistics {
  readonly documents: number;
  /** In words. */
  readonly meanLength: number;
}

export interface TermStatistics {
  /** Without the index's stop words. */
  readonly words: ReadonlyMap<string, WordStatistics>;
  readonly observations: CorpusStatistics;
  readonly descriptions: CorpusStatistics;
}
