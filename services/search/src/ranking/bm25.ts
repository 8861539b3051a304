/** BM25 as every part of ranking computes it. */
export const K1 = 1.2;
export const B = 0.75;

/** How discriminating a word is, by the number of documents that have it. */
export function idf(documents: number, withWord: number): number {
  const known = Math.min(withWord, documents);
  return Math.log(1 + (documents - known + 0.5) / (known + 0.5));
}
