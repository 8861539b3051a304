import { contactNames } from '../../extract/contact-fields.ts';
import { readCsv } from '../../extract/csv.ts';
import { keptContent } from '../../extract/kept-content.ts';
import { samNoticePage } from '../../tender/sam-notice.ts';
import type { Document, Parsed } from '../source.ts';

const CONTACT = /^(?:Primary|Secondary)Contact/;

/** The rows of the extract: Windows-1252, whatever the answer declares. */
export async function* parseExtract(document: Document): AsyncGenerator<Parsed> {
  for await (const item of readCsv(document, { charset: 'windows-1252', minColumns: 5 })) {
    if (item.type === 'refused') yield item;
    else yield toRecord(item.row.line, item.row.values);
  }
}

function toRecord(line: number, values: Readonly<Record<string, string>>): Parsed {
  const id = values.NoticeId?.trim() ?? '';
  const contacts = Object.keys(values).filter((name) => CONTACT.test(name));
  const names = contactNames([values.PrimaryContactFullname, values.SecondaryContactFullname]);
  return {
    type: 'record',
    record: {
      key: id.slice(0, 400) || `line ${line}`,
      uri: samNoticePage(id),
      content: keptContent(values, contacts, names),
      fields: Object.keys(values),
    },
  };
}
