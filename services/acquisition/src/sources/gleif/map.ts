import { chooseExcerpt } from '../../extract/excerpt.ts';
import { type Members, readMembers } from '../../extract/members.ts';
import { countryNamed, regionName } from '../../extract/places.ts';
import { plainLine } from '../../extract/plain.ts';
import type { Mapped, MappedCompany } from '../mapped.ts';
import { refuse } from '../refuse.ts';
import type { RawRecord } from '../source.ts';

const HEADQUARTERS = 'entity.headquartersAddress';
const LEI = /^[0-9A-Z]{18}\d{2}$/;

/** One line a fact. */
export function extractRecord(content: string): string {
  const record = readMembers(content);
  const lines = [
    ['Legal name', record.text('entity.legalName.name')],
    [
      'Other names',
      record
        .list('entity.otherNames')
        .flatMap((one) => one.text('name') ?? [])
        .join('; '),
    ],
    ['Headquarters', placeOf(record)],
    ['Jurisdiction', record.text('entity.jurisdiction')],
    ['Entity status', record.text('entity.status')],
    ['Registered as', record.text('entity.registeredAs')],
    ['Registration status', record.text('registration.status')],
    ['LEI', record.text('lei')],
  ];
  return lines.flatMap(([label, value]) => (value ? [`${label}: ${plainLine(value)}`] : [])).join('\n');
}

/** Who a legal entity is; one that has ceased to exist, or is a fund, a branch or a person, is left out. */
export function mapRecord(raw: RawRecord, text: string): Mapped[] {
  const record = readMembers(raw.content);
  if (record.need('entity.status') !== 'ACTIVE') return [{ type: 'left_out', reason: 'the entity is not active' }];
  const category = record.text('entity.category') ?? 'GENERAL';
  if (category !== 'GENERAL')
    return [{ type: 'left_out', reason: 'the entity is a fund, branch, person or authority' }];
  const company = companyOf(record);
  return [
    {
      type: 'observation',
      company,
      kind: 'company_profile',
      observedFact: `${company.name} is an active legal entity with headquarters in ${placeOf(record)}, LEI ${record.need('lei')}`,
      country: company.country,
      confidence: 0.9,
      title: company.name,
      eventIdentifiers: [],
      categories: [],
      excerpts: [chooseExcerpt(text) ?? refuse('entity.legalName.name', 'holds nothing that may be quoted')],
    },
  ];
}

function companyOf(record: Members): MappedCompany {
  const lei = record.need('lei');
  if (!LEI.test(lei)) refuse('lei', 'is none');
  const country =
    countryNamed(record.need(`${HEADQUARTERS}.country`)) ??
    refuse(`${HEADQUARTERS}.country`, 'is neither Canada nor the United States');
  const name = plainLine(record.need('entity.legalName.name'));
  return { name, country, hostnames: [], identifiers: [{ scheme: 'lei', value: lei }] };
}

/** `SANTA CLARA, California, US`. */
function placeOf(record: Members): string {
  const region = record.text(`${HEADQUARTERS}.region`)?.replace(/^[A-Z]{2}-/, '');
  const parts = [record.text(`${HEADQUARTERS}.city`), regionName(region), record.text(`${HEADQUARTERS}.country`)];
  return parts.filter(Boolean).join(', ');
}
