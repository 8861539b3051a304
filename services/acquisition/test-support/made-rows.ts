import type { Source } from '../src/connector/source.ts';
import { documentOfText, readDocument } from './read-file.ts';
import { type ReadSource, summarise } from './read-source.ts';

export async function readRows(
  source: Source,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string>>[],
): Promise<ReadSource> {
  const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const lines = [quoted(columns), ...rows.map((row) => quoted(columns.map((column) => row[column] ?? '')))];
  return summarise(await readDocument(source, documentOfText(`${lines.join('\r\n')}\r\n`)));
}
