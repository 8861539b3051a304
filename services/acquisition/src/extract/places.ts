import type { CountryName } from '@ces/proto/catalog';
import { normalText } from '@ces/proto/normal-text';

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
const REGION_NAMES = new Map<string, CountryName>([
  ...Object.values(STATES).map((name): [string, CountryName] => [plain(name), 'US']),
  ...Object.values(PROVINCES).map((name): [string, CountryName] => [plain(name), 'CA']),
  [plain('Newfoundland'), 'CA'],
]);

/** The country a field for countries names: ISO codes and the usual names; undefined for every other one. */
export function countryNamed(text: string | undefined): CountryName | undefined {
  const name = plain(text ?? '');
  return Object.hasOwn(COUNTRIES, name) ? COUNTRIES[name] : undefined;
}

/** The country of a state or province, by its postal code or English or French name. */
export function countryOfRegion(text: string | undefined): CountryName | undefined {
  const code = text?.trim().toUpperCase() ?? '';
  if (Object.hasOwn(STATES, code)) return 'US';
  if (Object.hasOwn(PROVINCES, code)) return 'CA';
  return REGION_NAMES.get(plain(text ?? ''));
}

/** `TN` is Tennessee; undefined for anything but a code. */
export function regionName(code: string | undefined): string | undefined {
  const upper = code?.trim().toUpperCase() ?? '';
  return STATES[upper] ?? PROVINCES[upper];
}

/**
 * The country of a place as people write it: `Toronto, ON`, `Remote (United States)`, `Reno, NV, USA`. The last part that
 * names a country or region decides; a bare `CA` at the end after a city is California. Undefined when nothing does.
 */
export function countryOfPlace(text: string | undefined): CountryName | undefined {
  const parts = (text ?? '')
    .split(/[,;/()|]|\s[-–—]\s/)
    .map((part) => part.trim())
    .filter(Boolean);
  for (const [index, part] of [...parts.entries()].reverse()) {
    const found = index > 0 && part.toUpperCase() === 'CA' ? 'US' : (countryNamed(part) ?? countryOfRegion(part));
    if (found) return found;
  }
  return undefined;
}

function plain(text: string): string {
  return normalText(text, 'NFD').replace(/\p{M}/gu, '').replace(/\./g, '').trim().toLowerCase();
}
