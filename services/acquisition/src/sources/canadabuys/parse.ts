import type { Document, Parsed } from '../../connector/source.ts';
import { readCsv } from '../../extract/formats/csv.ts';
import { contactNames } from '../../extract/passages/contact-fields.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';
import { COLUMNS, CONTACT_NAME, contactColumns } from './notice.ts';

export const HOMEPAGE = 'https://canadabuys.canada.ca/en/procurement-and-contracting-data';

type Row = Readonly<Record<string, string>>;

export type NoticeFolder = 'tender-notice' | 'award-notice';

/** An amendment gets the key of its notice. A row without a number is kept, then refused. */
export async function* parseNotices(
  document: Document,
  folder: NoticeFolder,
  keyOf: (row: Row) => string,
): AsyncGenerator<Parsed> {
  for await (const item of readCsv(document, { charset: 'utf-8', minColumns: 5 })) {
    if (item.type === 'refused') yield item;
    else yield toRecord(document, folder, item.row.line, item.row.values, keyOf(item.row.values));
  }
}

function toRecord(document: Document, folder: NoticeFolder, line: number, values: Row, key: string): Parsed {
  const names = contactNames([values[CONTACT_NAME]]);
  return {
    type: 'record',
    record: {
      key: key.slice(0, 400) || `line ${line}`,
      uri: firstWebAddress(
        [values[COLUMNS.url]?.trim(), noticePage(folder, values[COLUMNS.reference]), document.uri],
        HOMEPAGE,
      ),
      content: keptContent(values, contactColumns(values), names),
      fields: Object.keys(values),
    },
  };
}

function noticePage(folder: NoticeFolder, reference: string | undefined): string | undefined {
  const plain = reference?.trim().toLowerCase() ?? '';
  if (!/^[\w$:.-]+$/.test(plain)) return undefined;
  return `https://canadabuys.canada.ca/en/tender-opportunities/${folder}/${plain.replace(/[$:._]/g, '')}`;
}
