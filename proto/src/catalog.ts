import { Country, DemandClass, Kind } from '../gen/ces/catalog/v1/catalog_pb.ts';

/** The nine kinds by the names of the public interface, in its order. */
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

/** The nine kinds as they travel between services, in the same order. */
export const KINDS: readonly Kind[] = KIND_NAMES.map(kindOf);

/** The kinds that a company search may be narrowed to. */
export const SEARCHABLE_KIND_NAMES = ['company_profile', 'procurement_request', 'facility_expansion'] as const;

/** The countries that the record covers. */
export const COUNTRY_NAMES = ['CA', 'US'] as const;
export type CountryName = (typeof COUNTRY_NAMES)[number];

/** From the most to the least direct demand. */
export const DEMAND_CLASS_NAMES = ['explicit_request', 'proxy', 'structural'] as const;
export type DemandClassName = (typeof DEMAND_CLASS_NAMES)[number];

/** The demand class of an observation follows from its kind: a request is demand, a profile is fit, anything else hints at demand. */
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

/** The name of a kind as it came over the wire; undefined for a number that names none. */
export function kindName(value: number): KindName | undefined {
  return KIND_NAMES.find((name) => kindOf(name) === value);
}

/** The name of a country as it came over the wire; undefined for a number that names none. */
export function countryName(value: number): CountryName | undefined {
  return COUNTRY_NAMES.find((name) => countryOf(name) === value);
}

/** The name of a demand class as it came over the wire; undefined for a number that names none. */
export function demandClassName(value: number): DemandClassName | undefined {
  return DEMAND_CLASS_NAMES.find((name) => demandClassNamed(name) === value);
}
