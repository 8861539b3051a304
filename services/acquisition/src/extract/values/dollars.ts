/** Whole dollars, as in `$1,250,000`. */
export function formatDollars(dollars: number): string {
  return `$${Math.round(dollars).toLocaleString('en-US')}`;
}
