import type { Cell } from './table.ts';

/** Rows under a heading as RFC 4180 writes them, but for the ends of lines, which are those of a terminal. */
export function csv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => row.map(field).join(',')).join('\n');
}

/** In quotes where it holds what parts fields and lines; a quote inside is written twice. */
function field(value: Cell): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
