/**
 * Normalised discounted cumulative gain with binary gains and log base 2. Returns 0 if nothing is
 * relevant.
 */
export function ndcg(gains: readonly boolean[], relevant: number, depth: number): number {
  const discount = (rank: number) => 1 / Math.log2(rank + 2);
  const sum = gains.slice(0, depth).reduce((total, gain, rank) => total + (gain ? discount(rank) : 0), 0);
  const ideal = Array.from({ length: Math.min(relevant, depth) }, (_, rank) => discount(rank));
  return relevant === 0 ? 0 : sum / ideal.reduce((total, value) => total + value, 0);
}

export function recallAt100(ranking: readonly bigint[], relevant: ReadonlySet<bigint>): number {
  const found = ranking.slice(0, 100).filter((id) => relevant.has(id)).length;
  return relevant.size === 0 ? 0 : found / relevant.size;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The empirical quantile: the value that `share` of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
