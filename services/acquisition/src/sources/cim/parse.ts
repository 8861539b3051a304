import { readCsv } from '../../extract/csv.ts';
import { findInstant } from '../../extract/dates.ts';
import { readHead } from '../../extract/head.ts';
import { jsonContent } from '../../extract/members.ts';
import type { Document, Parsed } from '../source.ts';

type Row = Readonly<Record<string, string>>;

/** The member that a cancelled project's record gets: when the release that calls it cancelled was made. */
export const RELEASED = 'released';

const PREAMBLE_CHARACTERS = 64 * 1024;
/** Politicians and census areas change without the project: they would look like amendments of it. */
const NOT_OF_THE_PROJECT = /^(?:US (?:Senator|Representative)|CD\d|county_|census_)/;

/** The projects of a release; its first lines say what it is and when it was made. */
export async function* parseRelease(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (text) => text.includes('unique_id'), PREAMBLE_CHARACTERS);
  const created = /^created:,"?([^"\r\n]*)/m.exec(head)?.[1];
  const released = findInstant(created, { formats: ['ccc LLL d HH:mm:ss yyyy'] }) ?? document.fetchedAt;
  for await (const item of readCsv(document, { minColumns: 5 })) {
    if (item.type === 'refused') yield item;
    else yield toRecord(document, item.row.line, item.row.values, released);
  }
}

function toRecord(document: Document, line: number, values: Row, released: Date): Parsed {
  const id = values.unique_id?.trim() ?? '';
  if (id === '' || id.length > 200)
    return { type: 'refused', refusal: { key: `line ${line}`, field: 'unique_id', reason: 'is missing or too long' } };
  const left = Object.keys(values).filter((name) => NOT_OF_THE_PROJECT.test(name));
  const row = isCancelled(values) ? { ...values, [RELEASED]: released.toISOString() } : values;
  return {
    type: 'record',
    record: {
      key: id,
      uri: /^https?:/.test(document.uri) ? document.uri : 'https://www.cleaninvestmentmonitor.org/',
      content: jsonContent(row, left),
      fields: Object.keys(values),
    },
  };
}

function isCancelled(values: Row): boolean {
  return /^cancell?ed/i.test(values.Current_Facility_Status ?? '') || /^cancell?ed/i.test(values.Project_Type ?? '');
}
