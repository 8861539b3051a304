import { Refused, refused } from '../../connector/refuse.ts';
import type { Parsed } from '../../connector/source.ts';
import { keptRecord } from '../../extract/passages/kept-content.ts';
import { countryNamed } from '../../extract/places/places.ts';

export const HOMEPAGE = 'https://www.gleif.org/en/lei-data/gleif-api';
export const LEI = /^[0-9A-Z]{18}\d{2}$/;
export const HEADQUARTERS_COUNTRY = 'entity.headquartersAddress.country';

/**
 * Uses the terms of the API, so that an entity is the same record in every format. Streets may be
 * of persons, so they are left out.
 */
export interface LeiRecord {
  readonly lei: string | undefined;
  readonly entity: {
    readonly legalName: { readonly name: string | undefined };
    readonly otherNames: readonly { readonly name: string | undefined; readonly type: string | undefined }[];
    readonly headquartersAddress: Readonly<Record<'city' | 'region' | 'country', string | undefined>>;
    readonly registeredAt: { readonly id: string | undefined };
    readonly registeredAs: string | undefined;
    readonly jurisdiction: string | undefined;
    readonly category: string | undefined;
    readonly status: string | undefined;
    readonly successorEntities: readonly { readonly lei: string | undefined }[];
  };
  readonly registration: { readonly status: string | undefined; readonly nextRenewalDate: string | undefined };
  readonly bic: readonly string[];
  readonly ocid: string | undefined;
  readonly spglobal: readonly string[];
}

/** Entities of other countries are most of a golden copy. */
export function toParsed(read: () => LeiRecord, position: string): Parsed {
  try {
    const record = withoutPerson(read());
    const lei = LEI.test(record.lei ?? '') ? record.lei : undefined;
    const { country } = record.entity.headquartersAddress;
    if (country !== undefined && !countryNamed(country))
      return refused(lei ?? position, HEADQUARTERS_COUNTRY, 'is neither Canada nor the United States');
    const uri = lei ? `https://search.gleif.org/#/record/${lei}` : HOMEPAGE;
    return keptRecord({ key: lei ?? position, uri }, withoutEmpty(record));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refused(position, error.field, error.reason);
  }
}

function withoutPerson(record: LeiRecord): LeiRecord {
  const { entity } = record;
  if (entity.category !== 'SOLE_PROPRIETOR') return record;
  const { country } = entity.headquartersAddress;
  return {
    ...record,
    entity: {
      ...entity,
      legalName: { name: 'a sole proprietor' },
      otherNames: [],
      headquartersAddress: { city: undefined, region: undefined, country },
      registeredAs: undefined,
    },
  };
}

function withoutEmpty({ entity, ...record }: LeiRecord) {
  const { otherNames, successorEntities } = entity;
  const successors = [...new Set(successorEntities.flatMap(({ lei }) => lei ?? []))].map((lei) => ({ lei }));
  return {
    ...record,
    entity: { ...entity, otherNames: filled(otherNames), successorEntities: filled(successors) },
    bic: filled(record.bic),
    spglobal: filled(record.spglobal),
  };
}

function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
