import { Country, DemandClass, Kind } from '../gen/ces/catalog/v1/catalog_pb.ts';

/** In the order of the public interface. */
export const KIND_NAMES = [
  'procurement_request',
  'facility_expansion',
  'funding_round',
  'leadership_change',
  'product_launch',
  'partnership',
  'technology_use',
  'job_posting',
  'company_profile',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

export const KINDS: readonly Kind[] = KIND_NAMES.map(kindOf);

export const SEARCHABLE_KIND_NAMES = ['company_profile', 'procurement_request', 'facility_expansion'] as const;

export const COUNTRY_NAMES = ['CA', 'US'] as const;
export type CountryName = (typeof COUNTRY_NAMES)[number];

/** From the most to the least direct demand. */
export const DEMAND_CLASS_NAMES = ['explicit_request', 'proxy', 'structural'] as const;
export type DemandClassName = (typeof DEMAND_CLASS_NAMES)[number];

/** A request is demand, a profile only shows fit, and every other kind hints at demand. */
export function demandClassOf(kind: KindName): DemandClassName {
  if (kind === 'procurement_request') return 'explicit_request';
  return kind === 'company_profile' ? 'structural' : 'proxy';
}

export function kindOf(name: KindName): Kind {
  return Kind[name.toUpperCase() as Uppercase<KindName>];
}

export function countryOf(name: CountryName): Country {
  return Country[name];
}

export function demandClassNamed(name: DemandClassName): DemandClass {
  return DemandClass[name.toUpperCase() as Uppercase<DemandClassName>];
}

/** Undefined for an unknown number. */
export function kindName(value: number): KindName | undefined {
  return KIND_NAMES.find((name) => kindOf(name) === value);
}

export function countryName(value: number): CountryName | undefined {
  return COUNTRY_NAMES.find((name) => countryOf(name) === value);
}

export function demandClassName(value: number): DemandClassName | undefined {
  return DEMAND_CLASS_NAMES.find((name) => demandClassNamed(name) === value);
}
