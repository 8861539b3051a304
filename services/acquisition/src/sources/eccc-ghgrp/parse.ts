import { refused } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed } from '../../connector/source.ts';
import { readCsv } from '../../extract/formats/csv.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { COLUMNS, englishName, ID, YEAR } from './columns.ts';

export const HOST = 'data-donnees.az.ec.gc.ca';
export const HOMEPAGE = 'https://open.canada.ca/data/en/dataset/a8ba14b7-7f23-462a-bdbb-83b0ef629823';
const FILE =
  '/substances/monitor/greenhouse-gas-reporting-program-ghgrp-facility-greenhouse-gas-ghg-data/PDGES-GHGRP-GHGEmissionsGES-2004-Present.csv';
/** About seven times twenty years of reports. */
const MAX_BYTES = 64 * 1024 * 1024;

export function requestFacilities(): FetchRequest[] {
  return [{ url: `https://${HOST}/api/file?${new URLSearchParams({ path: FILE })}`, maxBytes: MAX_BYTES }];
}

type Row = Readonly<Record<string, string>>;

/** Only the newest year of the file: all years of a facility have one key. */
export async function* parseFacilities(document: Document): AsyncGenerator<Parsed> {
  let newest = 0;
  let rows: { readonly line: number; readonly row: Row }[] = [];
  for await (const item of readCsv(document)) {
    if (item.type === 'refused') {
      yield item;
      continue;
    }
    const row = readRow(item.row.values);
    const year = /^\d{4}$/.test(row[YEAR] ?? '') ? Number(row[YEAR]) : newest;
    if (year > document.fetchedAt.getUTCFullYear()) {
      yield refused(row[ID] || `line ${item.row.line}`, YEAR, 'lies in the future');
      continue;
    }
    if (year > newest) {
      newest = year;
      rows = [];
    }
    if (year === newest) rows.push({ line: item.row.line, row });
  }
  for (const { line, row } of rows) yield toRecord(row, line);
}

function readRow(values: Row): Row {
  const named = new Map(Object.entries(values).map(([name, value]) => [englishName(name), value.trim()]));
  return Object.fromEntries(COLUMNS.flatMap((name) => (named.has(name) ? [[name, named.get(name) ?? '']] : [])));
}

function toRecord(row: Row, line: number): Parsed {
  return {
    type: 'record',
    record: {
      key: row[ID]?.slice(0, 400) || `line ${line}`,
      uri: HOMEPAGE,
      content: keptContent(row),
      fields: Object.keys(row),
    },
  };
}
