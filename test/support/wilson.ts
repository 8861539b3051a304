/** The 95 % Wilson score interval of `hits` out of `total`. */
export function wilson(hits: number, total: number): { readonly low: number; readonly high: number } {
  const z = 1.959964;
  const share = hits / total;
  const middle = share + z ** 2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const scale = 1 + z ** 2 / total;
  return { low: (middle - spread) / scale, high: (middle + spread) / scale };
}

/** For example "0.95 (0.86–0.98)", or a dash if `total` is 0. */
export function shareWithInterval(hits: number, total: number): string {
  if (total === 0) return '–';
  const { low, high } = wilson(hits, total);
  return `${(hits / total).toFixed(2)} (${Math.max(0, low).toFixed(2)}–${Math.min(1, high).toFixed(2)})`;
}
