import Papa from 'papaparse';

export interface PastedColumn {
  readonly name: string;
  readonly cells: readonly string[];
  readonly others: number;
}

const DELIMITERS = ['\t', ',', ';', '|'];
const LEAST_ROWS = 2;

/** The column of a copied table with most values that `isValue` accepts. Undefined for lists. */
export function readColumn(text: string, isValue: (cell: string) => boolean): PastedColumn | undefined {
  const rows = parseRows(text);
  if (!rows) return undefined;
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => (row[at] ?? '').trim()));
  const counts = columns.map((cells) => cells.filter(isValue).length);
  const most = Math.max(...counts);
  const best = counts.indexOf(most);
  const cells = columns[best];
  if (!cells || most === 0 || counts.every((count) => 2 * count > rows.length)) return undefined;
  const [head = '', ...rest] = cells;
  const isHeaded = head !== '' && !isValue(head);
  return {
    name: isHeaded ? `“${head}”` : `number ${best + 1}`,
    cells: (isHeaded ? rest : cells).filter((cell) => cell !== ''),
    others: width - 1,
  };
}

/** Rows of equal width; undefined when there is no such table. */
function parseRows(text: string): readonly (readonly string[])[] | undefined {
  for (const delimiter of DELIMITERS) {
    const { data, errors } = Papa.parse<string[]>(text.trim(), { delimiter, skipEmptyLines: 'greedy' });
    const width = data[0]?.length ?? 0;
    const isTable = width > 1 && data.length >= LEAST_ROWS && data.every((row) => row.length === width);
    if (isTable && errors.length === 0) return data;
  }
  return undefined;
}
