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
function canOrder(known: number, found: number): boolean {
  return known > 0 && known >= LEAST_SHARE_KNOWN * found;
}

/**
 * Multiplies scores by exp(`weight` × (similarity − greatest)). The order of two companies depends
 * only on these two. An unknown similarity, NaN, counts as the average; with too few known ones the
 * scores stay. Writes the result over `similarities`.
 */
export function weightBySimilarity(scores: Float64Array, similarities: Float64Array, weight: number): Float64Array {
  let [sum, known, greatest] = [0, 0, -1];
  for (const similarity of similarities) {
    if (Number.isNaN(similarity)) continue;
    sum += similarity;
    known += 1;
    if (similarity > greatest) greatest = similarity;
  }
  if (!canOrder(known, scores.length)) return scores;
  const average = sum / known;
  const weighed = similarities;
  for (let at = 0; at < scores.length; at += 1) {
    const similarity = similarities[at] ?? Number.NaN;
    weighed[at] = (scores[at] ?? 0) * Math.exp(weight * ((Number.isNaN(similarity) ? average : similarity) - greatest));
  }
  return weighed;
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
