import Papa from 'papaparse';

export type Cell = string | number | null | undefined;

/**
 * First characters of a formula, full-width forms included. The default of Papa Parse misses
 * formulas of several lines.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Writes CSV (RFC 4180) with a header. A byte order mark makes spreadsheets read UTF-8. It prefixes
 * an apostrophe to text that a spreadsheet would run as a formula, because the text comes from
 * sources (CSV injection).
 */
export function toCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
): string {
  const data: Cell[][] = rows.map((row) => columns.map((column) => row[column] ?? ''));
  return `${BYTE_ORDER_MARK}${Papa.unparse([[...columns], ...data], { escapeFormulae: FORMULA })}\r\n`;
}
