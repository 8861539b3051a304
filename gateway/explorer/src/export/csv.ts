import Papa from 'papaparse';

export type Cell = string | number | null | undefined;

/** How a formula begins, in every width; the writer's own pattern passes those of several lines. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Rows as CSV (RFC 4180) with a header. A text that a spreadsheet would take for a formula gets an apostrophe before it: what
 * sources say is not for running.
 */
export function toCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
): string {
  const data: Cell[][] = rows.map((row) => columns.map((column) => row[column] ?? ''));
  return `${Papa.unparse([[...columns], ...data], { escapeFormulae: FORMULA })}\r\n`;
}
