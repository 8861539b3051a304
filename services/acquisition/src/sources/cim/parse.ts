import type { Document, Parsed } from '../../connector/source.ts';
import { readCsv } from '../../extract/formats/csv.ts';
import { readHead } from '../../extract/formats/head.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { findInstant } from '../../extract/values/dates.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';

type Row = Readonly<Record<string, string>>;

export const HOMEPAGE = 'https://www.cleaninvestmentmonitor.org/';

/** The date of the release that cancels the project. */
export const CREATED = 'created:';

const PREAMBLE_CHARACTERS = 64 * 1024;
/** They change without the project, which would look like amendments. */
const NOT_OF_THE_PROJECT = /^(?:US (?:Senator|Representative)|CD\d|county_|census_)/;

export async function* parseRelease(given: Document): AsyncGenerator<Parsed> {
  const { head, document } = await readHead(given, (text) => text.includes('unique_id'), PREAMBLE_CHARACTERS);
  const created = /^"?created:"?,"?([^"\r\n]*)/m.exec(head)?.[1];
  const at = findInstant(created, { formats: ['ccc LLL d HH:mm:ss yyyy'] });
  for await (const item of readCsv(document, { minColumns: 5 })) {
    if (item.type === 'refused') yield item;
    else yield toRecord(document, item.row.line, item.row.values, at);
  }
}

function toRecord(document: Document, line: number, values: Row, created: Date | undefined): Parsed {
  const left = Object.keys(values).filter((name) => NOT_OF_THE_PROJECT.test(name));
  const row = isCancelled(values) ? { ...values, [CREATED]: created?.toISOString() } : values;
  return {
    type: 'record',
    record: {
      key: values.unique_id?.trim().slice(0, 200) || `line ${line}`,
      uri: firstWebAddress([document.uri], HOMEPAGE),
      content: keptContent(row, left),
      fields: Object.keys(values),
    },
  };
}

function isCancelled(values: Row): boolean {
  return [values.Current_Facility_Status, values.Project_Type].some((value) => /^cancell?ed/i.test(value ?? ''));
}
