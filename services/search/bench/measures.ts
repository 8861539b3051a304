/** Discounted gain of the first ten against the best possible order, 0..1. */
export function ndcgAt10(ranking: readonly bigint[], relevant: ReadonlySet<bigint>): number {
  const gain = (hits: readonly boolean[]) => hits.reduce((sum, hit, at) => sum + (hit ? 1 / Math.log2(at + 2) : 0), 0);
  const ideal = gain(Array.from({ length: Math.min(10, relevant.size) }, () => true));
  return ideal === 0 ? 0 : gain(ranking.slice(0, 10).map((id) => relevant.has(id))) / ideal;
}

/** Share of the relevant ones among the first hundred. */
export function recallAt100(ranking: readonly bigint[], relevant: ReadonlySet<bigint>): number {
  const found = ranking.slice(0, 100).filter((id) => relevant.has(id)).length;
  return relevant.size === 0 ? 0 : found / relevant.size;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value that `share` of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
