import type { EventIdentifier, Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { chooseExcerpt, quotable } from '../../extract/passages/excerpt.ts';
import { countryOfRegion, regionName } from '../../extract/places/places.ts';
import { readInstant } from '../../extract/values/dates.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { CREATED } from './parse.ts';

const CANCELLED = /^cancell?ed/i;

const DEEDS: Readonly<Record<string, string>> = {
  new: 'announced a new',
  expansion: 'announced an expansion of its',
  retrofit: 'announced a retrofit of its',
  restart: 'announced a restart of its',
};

export function extractProject(content: string): string {
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

export function mapProject(raw: RawRecord, text: string): Mapped[] {
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
