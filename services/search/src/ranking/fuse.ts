/** The best value adds `share` of the highest score. Rerankers differ in scale, hence min-max. */
export function fuseScores(scores: readonly number[], values: readonly number[], share: number): readonly number[] {
  const least = Math.min(...values);
  const spread = Math.max(...values) - least;
  const highest = Math.max(...scores);
  return scores.map((score, at) => {
    const stretched = spread > 0 ? ((values[at] ?? least) - least) / spread : 0;
    return (1 - share) * score + share * highest * stretched;
  });
}

/**
 * While a record gets its vectors, an average would put the few that have one before better matches
 * that have none.
 */
const LEAST_SHARE_KNOWN = 0.9;

/** Whether similarities may order `found` results of which `known` have one. */
export function canOrder(known: number, found: number): boolean {
  return known > 0 && known >= LEAST_SHARE_KNOWN * found;
}

/**
 * Multiplies scores by exp(`weight` × (similarity − greatest)). The order of two companies depends
 * only on these two. An unknown similarity counts as the average; with too few known ones the
 * scores stay.
 */
export function weightBySimilarity(
  scores: readonly number[],
  similarities: readonly (number | undefined)[],
  weight: number,
): readonly number[] {
  const known = similarities.filter((similarity) => similarity !== undefined);
  if (!canOrder(known.length, scores.length)) return scores;
  const average = known.reduce((sum, similarity) => sum + similarity, 0) / known.length;
  const greatest = Math.max(...known);
  return scores.map((score, at) => score * Math.exp(weight * ((similarities[at] ?? average) - greatest)));
}

/** Returns 0 if a vector has length 0. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] ?? 0;
    const y = b[at] ?? 0;
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA > 0 && ofB > 0 ? product / Math.sqrt(ofA * ofB) : 0;
}
