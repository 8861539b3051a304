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

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const RESAMPLES = 10_000;

/** The 95 % bootstrap interval of a mean. */
export function bootstrap(values: readonly number[], random: () => number): readonly [number, number] {
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).toSorted((a, b) => a - b);
  return [means[Math.floor(RESAMPLES * 0.025)] ?? 0, means[Math.floor(RESAMPLES * 0.975)] ?? 0];
}
