/** Whole dollars, as in `$1,250,000`. */
export function sayDollars(dollars: number): string {
  return `$${Math.round(dollars).toLocaleString('en-US')}`;
}
