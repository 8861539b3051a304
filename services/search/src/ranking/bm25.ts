/** BM25 as every part of ranking computes it. */
export const K1 = 1.2;
export const B = 0.75;

/** How much a word tells, by the number of documents that have it. */
export function idf(documents: number, withWord: number): number {
  const known = Math.min(withWord, documents);
  return Math.log(1 + (documents - known + 0.5) / (known + 0.5));
}

/** What a word that stands `frequency` times gives, 0..K1 + 1, in a document `relativeLength` times the mean. */
export function saturation(frequency: number, relativeLength: number): number {
  if (frequency <= 0) return 0;
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength));
}
