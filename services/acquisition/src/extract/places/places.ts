import type { CountryName } from '@ces/proto/catalog';
import { iso31662 } from 'iso-3166';
import { refuse } from '../../connector/refuse.ts';
import { plainPlace } from './plain-place.ts';

/** Names by postal code. ISO 3166-2 has a longer name, and islands without a postal code. */
const STATES = new Map([...subdivisionsOf('US'), ['VI', 'Virgin Islands']]);
STATES.delete('UM');
const PROVINCES = new Map(subdivisionsOf('CA'));
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
  [...[...STATES, ...PROVINCES].map(([code, name]) => [name, code] as const), ...Object.entries(OTHER_NAMES)].map(
    ([name, code]) => [plainPlace(name), code] as const,
  ),
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
  const country = STATES.has(code) ? 'US' : PROVINCES.has(code) ? 'CA' : undefined;
  return country && { country, code, area: `${country}-${code}`, isTerritory: TERRITORIES.has(code) };
}

/** Returns `Tennessee` for `TN`; undefined for anything but a postal code. */
export function regionName(code: string | undefined): string | undefined {
  const upper = code?.trim().toUpperCase() ?? '';
  return STATES.get(upper) ?? PROVINCES.get(upper);
}

function subdivisionsOf(country: CountryName): [code: string, name: string][] {
  return iso31662.filter(({ parent }) => parent === country).map(({ code, name }) => [code.slice(3), name]);
}
