import { iso31661, iso31662 } from 'iso-3166';
import { plainPlace } from './plain-place.ts';

const LANGUAGES = ['en', 'fr', 'es', 'de', 'pt', 'it'];
const OTHER_NAMES: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  uae: 'AE',
  holland: 'NL',
  korea: 'KR',
  usa: 'US',
  us: 'US',
  america: 'US',
  'united states of america': 'US',
  'contiguous united states': 'US',
};
/** Countries whose addresses end in a city and a region code: `Perth, WA`, `Milano, MI`. */
const CODES_AFTER_CITIES = ['AU', 'BR', 'IN', 'IT'];
const OTHER_REGIONS = [{ code: 'MX-BC', name: 'Baja California' }];
const BY_NAME = countriesByName();
const REGIONS_BY_COUNTRY = regionsByCountry();

/** `Germany`, `Allemagne` or `DEU` to alpha-2. */
export function countryCodeOf(text: string): string | undefined {
  return BY_NAME.get(plainPlace(text));
}

export function isRegionOf(country: string, text: string): boolean {
  return REGIONS_BY_COUNTRY.get(country)?.has(plainPlace(text)) ?? false;
}

export function isRegionCodeAbroad(code: string): boolean {
  return CODES_AFTER_CITIES.some((country) => isRegionOf(country, code));
}

function countriesByName(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const language of LANGUAGES) {
    const displayed = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const { alpha2 } of iso31661) names.set(plainPlace(displayed.of(alpha2) ?? alpha2), alpha2);
  }
  for (const { name, alpha2, alpha3 } of iso31661)
    for (const one of [name, alpha2, alpha3]) names.set(plainPlace(one), alpha2);
  for (const [name, code] of Object.entries(OTHER_NAMES)) names.set(name, code);
  return names;
}

function regionsByCountry(): ReadonlyMap<string, ReadonlySet<string>> {
  const regions = new Map<string, Set<string>>();
  for (const { code, name } of [...iso31662, ...OTHER_REGIONS]) {
    const [country = '', own = ''] = code.split('-');
    const known = regions.get(country) ?? new Set();
    regions.set(country, known.add(own.toLowerCase()).add(plainPlace(name)));
  }
  return regions;
}
