import { readCsv } from '../../extract/csv.ts';
import { jsonContent } from '../../extract/members.ts';
import { firstWebAddress } from '../../extract/web-address.ts';
import type { Document, Parsed } from '../source.ts';
import { COLUMNS, contactColumns } from './notice.ts';

export const HOMEPAGE = 'https://canadabuys.canada.ca/en/procurement-and-contracting-data';

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
      uri: firstWebAddress(
        [values[COLUMNS.url]?.trim(), noticePage(values[COLUMNS.reference]), document.uri],
        HOMEPAGE,
      ),
      content: jsonContent(values, contactColumns(values)),
      fields: Object.keys(values),
    },
  };
}

function noticePage(reference: string | undefined): string | undefined {
  const plain = reference?.trim().toLowerCase() ?? '';
  if (!/^[\w$-]+$/.test(plain)) return undefined;
  return `https://canadabuys.canada.ca/en/tender-opportunities/tender-notice/${plain}`;
}
