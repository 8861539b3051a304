import Papa from 'papaparse';

export type Cell = string | number | null | undefined;

/** Papa Parse misses formulas of several lines. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

const BYTE_ORDER_MARK = '\uFEFF';

/** RFC 4180 with a byte order mark. An apostrophe disarms formulas (CSV injection). */
export function toCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
): string {
  const data: Cell[][] = rows.map((row) => columns.map((column) => row[column] ?? ''));
  return `${BYTE_ORDER_MARK}${Papa.unparse([[...columns], ...data], { escapeFormulae: FORMULA })}\r\n`;
}
