import type { Cell } from './table.ts';

/** RFC 4180, but lines end with LF. */
export function csv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => row.map(field).join(',')).join('\n');
}

/** First characters of a spreadsheet formula, in half and full width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** An apostrophe disarms formulas (CSV injection): request keys come from others. */
function field(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
