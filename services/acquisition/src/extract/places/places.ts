import type { CountryName } from '@ces/proto/catalog';
import { refuse } from '../../connector/refuse.ts';
import { plainPlace } from './plain-place.ts';

const PROVINCES: Readonly<Record<string, string>> = {
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
};
const STATES: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  PR: 'Puerto Rico',
  GU: 'Guam',
  VI: 'Virgin Islands',
  AS: 'American Samoa',
  MP: 'Northern Mariana Islands',
};
const COUNTRIES: Readonly<Record<string, CountryName>> = {
  ca: 'CA',
  can: 'CA',
  canada: 'CA',
  us: 'US',
  usa: 'US',
  'united states': 'US',
  'united states of america': 'US',
};
/** French names that differ from the English ones by more than accents, and short forms. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Colombie-Britannique': 'BC',
  'Nouveau-Brunswick': 'NB',
  'Terre-Neuve-et-Labrador': 'NL',
  'Terre-Neuve': 'NL',
  Newfoundland: 'NL',
  'Nouvelle-Écosse': 'NS',
  'Territoires du Nord-Ouest': 'NT',
  'Île-du-Prince-Édouard': 'PE',
};
/** Territories of the United States whose ISO 3166-1 code equals their postal code. */
const TERRITORIES: ReadonlySet<string> = new Set(['PR', 'GU', 'VI', 'AS', 'MP']);
const CODES_BY_NAME = new Map(
  [
    ...Object.entries(STATES).map(([code, name]) => [name, code] as const),
    ...Object.entries(PROVINCES).map(([code, name]) => [name, code] as const),
    ...Object.entries(OTHER_NAMES),
  ].map(([name, code]) => [plainPlace(name), code] as const),
);

export interface Region {
  readonly country: CountryName;
  readonly code: string;
  readonly area: string;
  readonly isTerritory: boolean;
}

export function countryNamed(text: string | undefined): CountryName | undefined {
  const name = plainPlace(text ?? '');
  return Object.hasOwn(COUNTRIES, name) ? COUNTRIES[name] : undefined;
}

export function requireCountry(field: string, text: string): CountryName {
  return countryNamed(text) ?? refuse(field, 'is neither Canada nor the United States');
}

export function countryOfRegion(text: string | undefined): CountryName | undefined {
  return findRegion(text ?? '')?.country;
}

export function findRegion(text: string): Region | undefined {
  const plain = plainPlace(text);
  const code = CODES_BY_NAME.get(plain) ?? plain.toUpperCase();
  const country = Object.hasOwn(STATES, code) ? 'US' : Object.hasOwn(PROVINCES, code) ? 'CA' : undefined;
  return country && { country, code, area: `${country}-${code}`, isTerritory: TERRITORIES.has(code) };
}

/** Returns `Tennessee` for `TN`; undefined for anything but a postal code. */
export function regionName(code: string | undefined): string | undefined {
  const upper = code?.trim().toUpperCase() ?? '';
  return STATES[upper] ?? PROVINCES[upper];
}
