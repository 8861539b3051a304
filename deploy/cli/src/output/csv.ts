import type { Cell } from './table.ts';

/** Rows under a heading as RFC 4180 writes them, but for the ends of lines, which are those of a terminal. */
export function csv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => row.map(field).join(',')).join('\n');
}

/** How a formula of a spreadsheet begins, in every width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * In quotes where it holds what parts fields and lines; a quote inside is written twice. A text that a spreadsheet would take for a
 * formula gets an apostrophe before it: anybody with a key of the account chooses its request keys.
 */
function field(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
