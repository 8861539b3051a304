export const K1 = 1.2;
export const B = 0.75;

/** Lucene's idf of BM25, which is never negative. */
export function idf(documents: number, withWord: number): number {
  const known = Math.min(withWord, documents);
  return Math.log(1 + (documents - known + 0.5) / (known + 0.5));
}
