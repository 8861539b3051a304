import { wordsOf } from '../../src/text/words.ts';

/** Rows of tf-idf weights, each of length 1, in compressed sparse form. */
export interface TermMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

/** What turns a text into a row. */
export interface TermWeights {
  /** Column of every term. */
  readonly columnOf: ReadonlyMap<string, number>;
  /** Inverse document frequency by column. */
  readonly idf: Float64Array;
}

/** Words in fewer documents are left out, and those in more than the share. */
const FEWEST_DOCUMENTS = 3;
const LARGEST_SHARE = 0.3;

/** Counts the words of texts. */
export function countTerms(texts: Iterable<string>): TermWeights {
  const documents = new Map<string, number>();
  let count = 0;
  for (const text of texts) {
    count += 1;
    for (const term of new Set(termsOf(text))) documents.set(term, (documents.get(term) ?? 0) + 1);
  }
  const kept = [...documents].filter(([, known]) => known >= FEWEST_DOCUMENTS && known <= count * LARGEST_SHARE);
  return {
    columnOf: new Map(kept.map(([term], column) => [term, column])),
    idf: Float64Array.from(kept, ([, known]) => Math.log(count / known)),
  };
}

/** A row for every text. */
export function matrixOf(texts: readonly string[], weights: TermWeights): TermMatrix {
  const rows = texts.map((text) => rowOf(text, weights));
  const starts = new Uint32Array(rows.length + 1);
  for (const [at, row] of rows.entries()) starts[at + 1] = (starts[at] ?? 0) + row.length;
  return {
    rows: rows.length,
    columns: weights.idf.length,
    starts,
    terms: Uint32Array.from(rows.flatMap((row) => row.map(([column]) => column))),
    weights: Float32Array.from(rows.flatMap((row) => row.map(([, weight]) => weight))),
  };
}

/** Columns and weights of one text, of length 1 together. */
export function rowOf(text: string, { columnOf, idf }: TermWeights): (readonly [number, number])[] {
  const counts = new Map<number, number>();
  for (const term of termsOf(text)) {
    const column = columnOf.get(term);
    if (column !== undefined) counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const row = [...counts].map(([column, times]) => [column, (1 + Math.log(times)) * (idf[column] ?? 0)] as const);
  const length = Math.hypot(...row.map(([, weight]) => weight));
  return length === 0 ? [] : row.map(([column, weight]) => [column, weight / length] as const);
}

/** Singular and plural are one. */
function termsOf(text: string): string[] {
  return wordsOf(text).map((word) =>
    word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word,
  );
}
