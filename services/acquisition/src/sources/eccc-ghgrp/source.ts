import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse, refused } from '../../connector/refuse.ts';
import type { Document, FetchRequest, Parsed, RawRecord, Source } from '../../connector/source.ts';
import { readCsv } from '../../extract/formats/csv.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { countryOfRegion } from '../../extract/places/places.ts';
import { companyNumbers } from '../../extract/values/company-numbers.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { sectorOf } from '../../extract/values/naics.ts';
import { profileObservation } from '../families/profile/profile.ts';

const HOMEPAGE = 'https://open.canada.ca/data/en/dataset/a8ba14b7-7f23-462a-bdbb-83b0ef629823';
const HOST = 'data-donnees.az.ec.gc.ca';
const ID = 'GHGRP ID No.';
const YEAR = 'Reference Year';
const FACILITY = 'Facility Name';
const CITY = 'Facility City or District or Municipality';
const PROVINCE = 'Facility Province or Territory';
const NAICS = 'Facility NAICS Code';
const INDUSTRY = 'English Facility NAICS Code Description';
const LEGAL_NAME = 'Reporting Company Legal Name';
const TRADE_NAME = 'Reporting Company Trade Name';
const BUSINESS_NUMBER = 'Reporting Company Business Number';
const DUNS = 'Reporting Company DUNS Number';
const COLUMNS = [
  ...[ID, YEAR, FACILITY, CITY, PROVINCE, NAICS, INDUSTRY],
  ...[LEGAL_NAME, TRADE_NAME, BUSINESS_NUMBER, DUNS],
];
const FILE =
  '/substances/monitor/greenhouse-gas-reporting-program-ghgrp-facility-greenhouse-gas-ghg-data/PDGES-GHGRP-GHGEmissionsGES-2004-Present.csv';
/** About seven times twenty years of reports. */
const MAX_BYTES = 64 * 1024 * 1024;

export const ecccGhgrp: Source = {
  name: 'eccc_ghgrp',
  title: 'Greenhouse Gas Reporting Program, facilities',
  publisher: 'Environment and Climate Change Canada',
  homepage: HOMEPAGE,
  licence: {
    name: 'Open Government Licence – Canada',
    uri: 'https://open.canada.ca/en/open-government-licence-canada',
    attribution: 'Contains information licensed under the Open Government Licence – Canada.',
  },
  kinds: ['company_profile'],
  verified: true,
  mode: 'scheduled',
  hosts: [HOST],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  schedule: { everyMinutes: 43_200, jitterMinutes: 720 },
  fields: { required: COLUMNS, usual: [] },
  extractorVersion: 1,
  mappingVersion: 1,
  requests: requestFacilities,
  parse: parseFacilities,
  extract: extractFacility,
  map: mapFacility,
};

function englishName(column: string): string {
  return column.split('/')[0]?.trim() ?? '';
}

function requestFacilities(): FetchRequest[] {
  return [{ url: `https://${HOST}/api/file?${new URLSearchParams({ path: FILE })}`, maxBytes: MAX_BYTES }];
}

type Row = Readonly<Record<string, string>>;

/** Only the newest year of the file: all years of a facility have one key. */
async function* parseFacilities(document: Document): AsyncGenerator<Parsed> {
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

function extractFacility(content: string): string {
  const report = readMembers(content);
  return labelledLines([
    ['Company', report.text(LEGAL_NAME)],
    ['Trade name', tradeNameOf(report)],
    ['Facility', report.text(FACILITY)],
    ['Place', placeOf(report)],
    ['Industry', [report.text(NAICS), report.text(INDUSTRY)].filter(Boolean).join(' ')],
    ['Report', [report.text(ID), report.text(YEAR)].filter(Boolean).join(', ')],
  ]);
}

function mapFacility(raw: RawRecord, text: string): Mapped[] {
  const report = readMembers(raw.content);
  const company = companyOf(report);
  const facility = plainLine(report.need(FACILITY));
  const industry = [report.text(NAICS), report.text(INDUSTRY)].filter(Boolean).join(' ');
  const sector = sectorOf(report.text(NAICS));
  const known = tradeNameOf(report);
  const observedFact =
    `${company.name}${known ? ` (trade name ${known})` : ''} operates ${facility} in ${placeOf(report)}` +
    `${industry && ` (NAICS ${industry})`}, by its greenhouse gas report for ${report.need(YEAR)}`;
  const title = `${facility} ${report.need(ID)}`;
  return [profileObservation({ company, observedFact, title, sector, field: LEGAL_NAME }, text)];
}

function companyOf(report: Members): MappedCompany {
  if (countryOfRegion(report.need(PROVINCE)) !== 'CA') refuse(PROVINCE, 'is none of Canada');
  return {
    name: plainLine(report.need(LEGAL_NAME)),
    country: 'CA',
    hostnames: [],
    identifiers: companyNumbers({ bn: report.text(BUSINESS_NUMBER), duns: report.text(DUNS) }),
  };
}

function tradeNameOf(report: Members): string | undefined {
  const [trade, legal] = [plainLine(report.text(TRADE_NAME)), plainLine(report.text(LEGAL_NAME))];
  return trade !== '' && trade.toLowerCase() !== legal.toLowerCase() ? trade : undefined;
}

function placeOf(report: Members): string {
  return [report.text(CITY), report.text(PROVINCE)].filter(Boolean).map(plainLine).join(', ');
}
