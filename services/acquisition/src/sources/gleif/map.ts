import type { Mapped, MappedCompany } from '../../connector/mapped.ts';
import { refuse } from '../../connector/refuse.ts';
import type { RawRecord } from '../../connector/source.ts';
import { type Members, readMembers } from '../../extract/formats/members.ts';
import { plainLine } from '../../extract/formats/plain.ts';
import { regionName, requireCountry } from '../../extract/places/places.ts';
import { labelledLines } from '../../extract/values/labelled.ts';
import { profileObservation } from '../families/profile/profile.ts';
import { HEADQUARTERS_COUNTRY, LEI } from './record.ts';

const HEADQUARTERS = 'entity.headquartersAddress';
const NAME = 'entity.legalName.name';
const LAPSED_CONFIDENCE = 0.8;

/** A lapsed registration is only not renewed. */
const KEPT_UP: ReadonlySet<string> = new Set(['ISSUED', 'PENDING_TRANSFER', 'PENDING_ARCHIVAL', 'LAPSED']);

export function extractRecord(content: string): string {
  const record = readMembers(content);
  return labelledLines([
    ['Legal name', record.text(NAME)],
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
    ['Registered at', record.text('entity.registeredAt.id')],
    ['Registered as', record.text('entity.registeredAs')],
    ['Registration status', record.text('registration.status')],
    ['Renewal due', dayOf(record.text('registration.nextRenewalDate'))],
    ['LEI', record.text('lei')],
    ['Successor', successorOf(record)],
    ['BIC', record.texts('bic').join(', ')],
  ]);
}

/**
 * Leaves out ceased entities, funds, branches and persons. A second LEI shows that both are the
 * same.
 */
export function mapRecord(raw: RawRecord, text: string): Mapped[] {
  const record = readMembers(raw.content);
  const category = record.text('entity.category') ?? 'GENERAL';
  if (category === 'SOLE_PROPRIETOR') return [{ type: 'left_out', reason: 'a sole proprietor is a person' }];
  if (category !== 'GENERAL') return [{ type: 'left_out', reason: 'the entity is a fund, branch or authority' }];
  const registration = record.text('registration.status') ?? 'ISSUED';
  if (registration === 'DUPLICATE') return [mapDuplicate(record, text)];
  if (record.need('entity.status') !== 'ACTIVE') return [{ type: 'left_out', reason: 'the entity is not active' }];
  if (!KEPT_UP.has(registration))
    return [{ type: 'left_out', reason: `its registration is ${registration.toLowerCase().replaceAll('_', ' ')}` }];
  const company = companyOf(record);
  const entity = `${company.name} is an active legal entity with headquarters in ${placeOf(record)}, LEI ${record.need('lei')}`;
  if (registration !== 'LAPSED') return [profileObservation({ company, observedFact: entity, field: NAME }, text)];
  const lapsed = dayOf(record.text('registration.nextRenewalDate'));
  const observedFact = `${entity}; its LEI registration lapsed${lapsed ? ` on ${lapsed}` : ''}`;
  return [profileObservation({ company, observedFact, confidence: LAPSED_CONFIDENCE, field: NAME }, text)];
}

function mapDuplicate(record: Members, text: string): Mapped {
  const successor = successorOf(record);
  if (!successor) return { type: 'left_out', reason: 'its registration is a duplicate of one that it does not name' };
  const own = companyOf(record);
  const lei = record.need('lei');
  const identifiers = [{ scheme: 'lei' as const, value: successor }, ...own.identifiers];
  const company = { ...own, key: `lei:${lei}`, identifiers };
  const observedFact = `${company.name} is a legal entity with headquarters in ${placeOf(record)}, LEI ${successor}; its LEI ${lei} was a duplicate`;
  return profileObservation({ company, observedFact, field: NAME }, text);
}

function companyOf(record: Members): MappedCompany {
  const lei = record.need('lei');
  if (!LEI.test(lei)) refuse('lei', 'is none');
  const country = requireCountry(HEADQUARTERS_COUNTRY, record.need(HEADQUARTERS_COUNTRY));
  return {
    name: plainLine(record.need(NAME)),
    country,
    hostnames: [],
    formerNames: record
      .list('entity.otherNames')
      .filter((other) => other.text('type') === 'PREVIOUS_LEGAL_NAME')
      .flatMap((other) => ({ name: plainLine(other.need('name')) })),
    identifiers: numbersOf(record, lei),
  };
}

function numbersOf(record: Members, lei: string): MappedCompany['identifiers'] {
  const [register, number] = [record.text('entity.registeredAt.id'), record.text('entity.registeredAs')];
  const numbers: readonly (readonly [MappedCompany['identifiers'][number]['scheme'], readonly string[]])[] = [
    ['lei', [lei]],
    ['register', register && number ? [`${register}:${number}`] : []],
    ['opencorporates', [record.text('ocid') ?? []].flat()],
    ['spglobal', record.texts('spglobal')],
    ['bic', record.texts('bic')],
  ];
  return numbers.flatMap(([scheme, values]) => values.map((value) => ({ scheme, value }))).slice(0, MOST_NUMBERS);
}

/** A bank has one BIC for each country. */
const MOST_NUMBERS = 40;

function successorOf(record: Members): string | undefined {
  const [successor, ...others] = record.list('entity.successorEntities').flatMap((one) => one.text('lei') ?? []);
  return successor && LEI.test(successor) && others.length === 0 ? successor : undefined;
}

function dayOf(instant: string | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(instant ?? '')?.[0];
}

function placeOf(record: Members): string {
  const region = record.text(`${HEADQUARTERS}.region`)?.replace(/^[A-Z]{2}-/, '');
  const parts = [record.text(`${HEADQUARTERS}.city`), regionName(region), record.text(`${HEADQUARTERS}.country`)];
  return parts.filter(Boolean).join(', ');
}
