/**
 * Scores by words and by likeness combined, 0..1: `share` of the best likeness counts as much as that share of the
 * highest score. Likenesses are stretched between the least and the greatest, since every model has a scale of its own.
 */
export function fuse(scores: readonly number[], likenesses: readonly number[], share: number): number[] {
  const least = Math.min(...likenesses);
  const spread = Math.max(...likenesses) - least;
  const highest = Math.max(...scores);
  return scores.map((score, at) => {
    const likeness = spread > 0 ? ((likenesses[at] ?? least) - least) / spread : 0;
    return (1 - share) * score + share * highest * likeness;
  });
}

/** The cosine of two vectors; 0 where one has no length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (const [at, x] of a.entries()) {
    const y = b[at] ?? 0;
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA > 0 && ofB > 0 ? product / Math.sqrt(ofA * ofB) : 0;
}
