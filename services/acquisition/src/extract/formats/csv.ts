import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { refused } from '../../connector/refuse.ts';
import { type Document, MAX_RECORD_BYTES, type Refusal } from '../../connector/source.ts';
import { TooLarge } from '../../connector/unreadable.ts';
import { decoded } from './text.ts';

export interface CsvOptions {
  readonly charset?: string;
  /** The header is the first line with this many filled columns. Default 2. */
  readonly minColumns?: number;
}

/** Cells by column name. Of two columns with one name the first counts. */
interface CsvRow {
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
}

export type CsvItem =
  | { readonly type: 'row'; readonly row: CsvRow }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** Each fault repeats the broken cell so far, so their cost is quadratic. */
const MOST_BROKEN = 200;
/** A destroyed parser stops between two pieces. */
const PIECE = 1_024;

interface Line {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

export async function* readCsv(document: Document, options: CsvOptions = {}): AsyncGenerator<CsvItem> {
  const refusals: Refusal[] = [];
  let header: readonly string[] | undefined;
  for await (const { record, info } of lines(document, options, refusals)) {
    for (const refusal of refusals.splice(0)) yield { type: 'refused', refusal };
    if (header) yield toItem(header, record, info.lines);
    else if (record.filter((cell) => cell.trim() !== '').length >= (options.minColumns ?? 2))
      header = record.map((name) => name.trim());
  }
  for (const refusal of refusals) yield { type: 'refused', refusal };
}

function lines(document: Document, options: CsvOptions, refusals: Refusal[]): AsyncIterable<Line> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_RECORD_BYTES,
    on_skip: (error: CsvError | undefined) => {
      if (refusals.length >= MOST_BROKEN)
        parser.destroy(new TooLarge(`more than ${MOST_BROKEN} faults in a row cannot be read as CSV`));
      refusals.push({ key: `line ${error?.lines ?? '?'}`, field: 'row', reason: 'cannot be read as CSV' });
    },
  });
  const text = decoded(document, options.charset === undefined ? {} : { charset: options.charset });
  return pipeline(Readable.from(piecesOf(text)), parser, () => undefined);
}

async function* piecesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of text) for (let at = 0; at < chunk.length; at += PIECE) yield chunk.slice(at, at + PIECE);
}

function toItem(header: readonly string[], cells: readonly string[], line: number): CsvItem {
  if (cells.length !== header.length)
    return refused(`line ${line}`, 'row', `has ${cells.length} columns, the header ${header.length}`);
  const values: Record<string, string> = {};
  header.forEach((name, index) => {
    if (name !== '' && !(name in values)) values[name] = cells[index] ?? '';
  });
  return { type: 'row', row: { line, values } };
}
