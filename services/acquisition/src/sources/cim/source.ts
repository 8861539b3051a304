import type { EventIdentifier, Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { Document, Parsed, RawRecord, Source } from '../../connector/source.ts';
import { readCsv } from '../../extract/formats/csv.ts';
import { readHead } from '../../extract/formats/head.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { chooseExcerpt, quotable } from '../../extract/passages/excerpt.ts';
import { keptContent } from '../../extract/passages/kept-content.ts';
import { countryOfRegion, regionName } from '../../extract/places/places.ts';
import { findInstant, readInstant } from '../../extract/values/dates.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { firstWebAddress } from '../../extract/values/web-address.ts';

const COLUMNS = [
  ...['unique_id', 'Company', 'Segment', 'Technology', 'Subcategory', 'Project_Type', 'Current_Facility_Status'],
  ...['Estimated_Total_Facility_CAPEX', 'Announcement_Date', 'State', 'Address'],
];
const HOMEPAGE = 'https://www.cleaninvestmentmonitor.org/';
const PREAMBLE_CHARACTERS = 64 * 1024;
const CANCELLED = /^cancell?ed/i;
/** The date of the release that cancels the project. */
const CREATED = 'created:';
/** They change without the project, which would look like amendments. */
const NOT_OF_THE_PROJECT = /^(?:US (?:Senator|Representative)|CD\d|county_|census_)/;
const DEEDS: Readonly<Record<string, string>> = {
  new: 'announced a new',
  expansion: 'announced an expansion of its',
  retrofit: 'announced a retrofit of its',
  restart: 'announced a restart of its',
};

export const cim: Source = {
  name: 'cim',
  title: 'Clean Investment Monitor, facilities',
  publisher: 'Rhodium Group and MIT CEEPR',
  homepage: HOMEPAGE,
  licence: {
    name: 'Creative Commons Attribution 4.0 International',
    uri: 'https://creativecommons.org/licenses/by/4.0/',
    attribution: 'Clean Investment Monitor, Rhodium Group and MIT CEEPR, licensed under CC BY 4.0.',
  },
  kinds: ['facility_expansion'],
  verified: true,
  mode: 'scheduled',
  hosts: ['www.cleaninvestmentmonitor.org'],
  politeness: { requestsPerSecond: 0.1, obeysRobots: true, maxRequestsPerRun: 1 },
  fields: { required: COLUMNS, usual: [] },
  extractorVersion: 1,
  mappingVersion: 1,
  parse: parseRelease,
  extract: extractProject,
  map: mapProject,
};

type Row = Readonly<Record<string, string>>;

async function* parseRelease(given: Document): AsyncGenerator<Parsed> {
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

function extractProject(content: string): string {
  const row = readMembers(content);
  return labelledLines([
    ['Company', row.text('Company')],
    ['Project type', row.text('Project_Type')],
    ['Segment', row.text('Segment')],
    ['Technology', technologyOf(row)],
    ['Location', placeOf(row)],
    ['Status', row.text('Current_Facility_Status')],
    ['Announced', row.text('Announcement_Date')],
    ['Estimated total capital expenditure, million US dollars of 2023', row.text('Estimated_Total_Facility_CAPEX')],
    ['Project', row.text('unique_id')],
  ]);
}

function mapProject(raw: RawRecord, text: string): Mapped[] {
  const row = readMembers(raw.content);
  const eventIdentifiers: EventIdentifier[] = [{ scheme: 'project', value: row.need('unique_id') }];
  const company = companyOf(row);
  if (CANCELLED.test(row.text('Project_Type') ?? '') || CANCELLED.test(row.need('Current_Facility_Status')))
    return [
      {
        type: 'closing',
        kind: 'facility_expansion',
        company,
        eventIdentifiers,
        reason: 'cancelled',
        closedAt: readInstant(CREATED, row.need(CREATED)),
      },
    ];
  const status = row.need('Current_Facility_Status');
  if (/^retired/i.test(status)) return [{ type: 'left_out', reason: 'the facility is retired' }];
  return [
    {
      type: 'observation',
      company,
      kind: 'facility_expansion',
      observedFact: `${company.name} ${deedOf(row)} ${technologyOf(row)} facility in ${placeOf(row)}${stateOf(status)}`,
      country: company.country,
      confidence: 0.8,
      occurredAt: readInstant('Announcement_Date', row.need('Announcement_Date')),
      title: `${row.need('Project_Type')} ${technologyOf(row)} ${placeOf(row)}`,
      eventIdentifiers,
      categories: [],
      excerpts: [quotable('Company', chooseExcerpt(text))],
    },
  ];
}

/** The site's country. Utilities carry a federal report number: `Avangrid (60025)`. */
function companyOf(row: Members): MappedCompany {
  const name = row.need('Company').replace(/(?<!\s)\s*\(\d{1,6}\)$/, '');
  const country = countryOfRegion(row.need('State')) ?? refuse('State', 'is no state or province');
  return { name: plainLine(name), country, hostnames: [], identifiers: [] };
}

function stateOf(status: string): string {
  return /^announced$/i.test(status) ? '' : `, now ${plainLine(status).toLowerCase()}`;
}

function deedOf(row: Members): string {
  const type = row.need('Project_Type').toLowerCase();
  return (
    (Object.hasOwn(DEEDS, type) ? DEEDS[type] : undefined) ?? refuse('Project_Type', 'is no type of the documentation')
  );
}

function technologyOf(row: Members): string {
  const technology = plainLine(row.need('Technology'));
  const kind = row.text('Subcategory');
  return kind && kind !== technology && !/^unknown$/i.test(kind) ? `${technology} (${plainLine(kind)})` : technology;
}

function placeOf(row: Members): string {
  const state = row.need('State');
  return plainLine(row.text('Address') ?? regionName(state) ?? state);
}
