import { Refused, refused } from '../../connector/refuse.ts';
import type { Parsed } from '../../connector/source.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { countryNamed } from '../../extract/places/places.ts';

export const HOMEPAGE = 'https://www.gleif.org/en/lei-data/gleif-api';
export const LEI = /^[0-9A-Z]{18}\d{2}$/;
export const HEADQUARTERS_COUNTRY = 'entity.headquartersAddress.country';

/** Facts by their paths in the API, with the path of each in a golden copy. */
export const GOLDEN_PATHS = {
  lei: 'LEI',
  'entity.legalName.name': 'Entity.LegalName',
  'entity.headquartersAddress.city': 'Entity.HeadquartersAddress.City',
  'entity.headquartersAddress.region': 'Entity.HeadquartersAddress.Region',
  [HEADQUARTERS_COUNTRY]: 'Entity.HeadquartersAddress.Country',
  'entity.registeredAt.id': 'Entity.RegistrationAuthority.RegistrationAuthorityID',
  'entity.registeredAs': 'Entity.RegistrationAuthority.RegistrationAuthorityEntityID',
  'entity.jurisdiction': 'Entity.LegalJurisdiction',
  'entity.category': 'Entity.EntityCategory',
  'entity.status': 'Entity.EntityStatus',
  'registration.status': 'Registration.RegistrationStatus',
  'registration.nextRenewalDate': 'Registration.NextRenewalDate',
} as const;

export interface LeiFacts {
  readonly text: (path: keyof typeof GOLDEN_PATHS) => string | undefined;
  readonly otherNames: readonly { readonly name: string | undefined; readonly type: string | undefined }[];
  readonly successors: readonly (string | undefined)[];
  /** Only in the API. */
  readonly numbers?: Readonly<{ bic: readonly string[]; ocid: string | undefined; spglobal: readonly string[] }>;
}

/** Entities of other countries are most of a golden copy. */
export function toParsed(read: () => LeiFacts, position: string): Parsed {
  try {
    const record = toRecord(read());
    const lei = LEI.test(record.lei ?? '') ? record.lei : undefined;
    const { country } = record.entity.headquartersAddress;
    if (country !== undefined && !countryNamed(country))
      return refused(lei ?? position, HEADQUARTERS_COUNTRY, 'is neither Canada nor the United States');
    const uri = lei ? `https://search.gleif.org/#/record/${lei}` : HOMEPAGE;
    return keptRecord({ key: lei ?? position, uri }, record);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refused(position, error.field, error.reason);
  }
}

/**
 * Has the members of the API, so that an entity is the same record in every format. Leaves out
 * streets, which may be of persons, and who a sole proprietor is.
 */
function toRecord({ text, otherNames, successors, numbers }: LeiFacts) {
  const isPerson = text('entity.category') === 'SOLE_PROPRIETOR';
  const unlessPerson = <T>(value: T) => (isPerson ? undefined : value);
  const distinct = [...new Set(successors.filter((lei) => lei !== undefined))];
  return {
    lei: text('lei'),
    entity: {
      legalName: { name: isPerson ? 'a sole proprietor' : text('entity.legalName.name') },
      otherNames: unlessPerson(filled(otherNames)),
      headquartersAddress: {
        city: unlessPerson(text('entity.headquartersAddress.city')),
        region: unlessPerson(text('entity.headquartersAddress.region')),
        country: text(HEADQUARTERS_COUNTRY),
      },
      registeredAt: { id: text('entity.registeredAt.id') },
      registeredAs: unlessPerson(text('entity.registeredAs')),
      jurisdiction: text('entity.jurisdiction'),
      category: text('entity.category'),
      status: text('entity.status'),
      successorEntities: filled(distinct.map((lei) => ({ lei }))),
    },
    registration: {
      status: text('registration.status'),
      nextRenewalDate: text('registration.nextRenewalDate'),
    },
    ...(numbers && { ocid: numbers.ocid, bic: filled(numbers.bic), spglobal: filled(numbers.spglobal) }),
  };
}

function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
