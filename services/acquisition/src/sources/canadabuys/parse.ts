import { readCsv } from '../../extract/csv.ts';
import { jsonContent } from '../../extract/members.ts';
import type { Document, Parsed } from '../source.ts';
import { COLUMNS, contactColumns } from './notice.ts';

type Row = Readonly<Record<string, string>>;

/**
 * The rows of a CanadaBuys file; `keyOf` names the record, an amendment like the notice it amends. A row without a number
 * is kept under its line, and refused when it is mapped.
 */
export async function* parseNotices(document: Document, keyOf: (row: Row) => string): AsyncGenerator<Parsed> {
  for await (const item of readCsv(document, { charset: 'utf-8', minColumns: 5 })) {
    if (item.type === 'refused') yield item;
    else yield toRecord(document, item.row.line, item.row.values, keyOf(item.row.values));
  }
}

function toRecord(document: Document, line: number, values: Row, key: string): Parsed {
  return {
    type: 'record',
    record: {
      key: key.slice(0, 400) || `line ${line}`,
      uri: noticePage(values[COLUMNS.url], values[COLUMNS.reference]?.trim() ?? '') ?? document.uri,
      content: jsonContent(values, contactColumns(values)),
      fields: Object.keys(values),
    },
  };
}

function noticePage(url: string | undefined, reference: string): string | undefined {
  const published = url?.trim() ?? '';
  if (/^https?:\/\//i.test(published) && URL.canParse(published)) return published;
  if (!/^[\w$-]+$/.test(reference)) return undefined;
  return `https://canadabuys.canada.ca/en/tender-opportunities/tender-notice/${reference.toLowerCase()}`;
}
