/**
 * Scores by words and by a reranker combined, 0..1: `share` of the best value counts as much as that share of the highest
 * score. Values are stretched between the least and the greatest, since every reranker has a scale of its own.
 */
export function fuse(scores: readonly number[], values: readonly number[], share: number): readonly number[] {
  const least = Math.min(...values);
  const spread = Math.max(...values) - least;
  const highest = Math.max(...scores);
  return scores.map((score, at) => {
    const stretched = spread > 0 ? ((values[at] ?? least) - least) / spread : 0;
    return (1 - share) * score + share * highest * stretched;
  });
}

/**
 * Scores by words, 0..1, lowered by the power of e to `weight` times what a company's likeness to the query lacks to the
 * greatest. How two companies are ordered depends on the two alone. One whose likeness is unknown is taken to be as like as the others
 * are on average.
 */
export function weighByLikeness(
  scores: readonly number[],
  likenesses: readonly (number | undefined)[],
  weight: number,
): readonly number[] {
  const known = likenesses.filter((likeness) => likeness !== undefined);
  const average = known.reduce((sum, likeness) => sum + likeness, 0) / known.length;
  const greatest = Math.max(...known);
  return scores.map((score, at) => score * Math.exp(weight * ((likenesses[at] ?? average) - greatest)));
}

/** The cosine of two vectors, each on any scale; 0 where one has no length. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x = 0, y = 0] = [a[at], b[at]];
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA > 0 && ofB > 0 ? product / Math.sqrt(ofA * ofB) : 0;
}
