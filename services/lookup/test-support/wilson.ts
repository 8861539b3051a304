/** The 95 % Wilson interval of a share. */
export function wilson(hits: number, total: number): { readonly low: number; readonly high: number } {
  const z = 1.959964;
  const share = hits / total;
  const middle = share + z ** 2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const scale = 1 + z ** 2 / total;
  return { low: (middle - spread) / scale, high: (middle + spread) / scale };
}
