import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { BadLine, type Fields, textAt } from './fields.ts';

/** A well-formed line that the record does not take; counted by its message. */
export class NotRecordable extends Error {
  override readonly name = 'NotRecordable';
}

const COUNTRIES: Readonly<Record<string, Country>> = { CA: Country.CA, US: Country.US };

const KINDS: Readonly<Record<string, Kind>> = {
  procurement_request: Kind.PROCUREMENT_REQUEST,
  facility_expansion: Kind.FACILITY_EXPANSION,
  funding_round: Kind.FUNDING_ROUND,
  leadership_change: Kind.LEADERSHIP_CHANGE,
  product_launch: Kind.PRODUCT_LAUNCH,
  partnership: Kind.PARTNERSHIP,
  technology_use: Kind.TECHNOLOGY_USE,
  job_posting: Kind.JOB_POSTING,
  company_profile: Kind.COMPANY_PROFILE,
};

export function countryAt(fields: Fields): Country {
  const country = COUNTRIES[textAt(fields, 'country')];
  if (country === undefined) throw new NotRecordable('the country is neither CA nor US');
  return country;
}

export function kindAt(fields: Fields): Kind {
  const name = textAt(fields, 'kind');
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind === undefined) throw new BadLine(`kind must be one of ${Object.keys(KINDS).join(', ')}`);
  return kind;
}
