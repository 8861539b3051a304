import type { Cell } from './table.ts';

/** CSV as in RFC 4180, except that lines end with LF. */
export function csv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => row.map(field).join(',')).join('\n');
}

/** First characters of a spreadsheet formula, in half and full width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Quotes a field as in RFC 4180. An apostrophe disarms formulas (CSV injection), since any key of
 * the account may choose request keys.
 */
function field(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
