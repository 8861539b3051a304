import Table from 'cli-table3';

export type Cell = string | number | bigint | boolean | null | undefined;

const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const;

export function table(head: readonly string[], rows: readonly (readonly Cell[])[], empty = 'Nothing.'): string {
  if (rows.length === 0) return empty;
  const numeric = head.map((_, column) => rows.every((row) => row[column] == null || isNumeric(row[column])));
  const result = new Table({
    head: [...head],
    colAligns: numeric.map((right) => (right ? 'right' : 'left')),
    chars: PLAIN,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  result.push(...rows.map((row) => row.map(show)));
  return withoutTrailingBlanks(result.toString());
}

export function list(entries: readonly (readonly [string, Cell])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${show(value)}`.trimEnd()).join('\n');
}

export function count(value: number | bigint | undefined): string {
  return (value ?? 0).toLocaleString('en-US');
}

export function instant(iso: unknown): string {
  return typeof iso === 'string' ? iso.replace('T', ' ').replace(/\.\d+Z$/, 'Z') : '';
}

export function brief(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, width - 1).trimEnd()}…`;
}

function show(value: Cell): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

function isNumeric(value: Cell): boolean {
  return typeof value === 'string' ? /^[\d,.]+( [%*])?$/.test(value) : typeof value !== 'boolean';
}

function withoutTrailingBlanks(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
