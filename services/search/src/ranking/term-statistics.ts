interface WordStatistics {
  readonly lexeme: string;
  readonly observations: number;
  readonly descriptions: number;
}

export interface CorpusStatistics {
  readonly documents: number;
  readonly meanLength: number;
}

export interface TermStatistics {
  readonly words: ReadonlyMap<string, WordStatistics>;
  readonly observations: CorpusStatistics;
  readonly descriptions: CorpusStatistics;
}
