import type { CountryName } from '@ces/proto/catalog';
import { countryCodeOf, isRegionCodeAbroad, isRegionOf } from './country-names.ts';
import { areasOfCity } from './gazetteer.ts';
import { splitPlace } from './place-parts.ts';
import { findRegion, type Region } from './places.ts';
import { plainPlace } from './plain-place.ts';

/** `abroad`: for sure in another country. `ambiguous`: a code or name of several countries, and nothing says which. */
export type PlaceReading = CountryName | 'abroad' | 'ambiguous' | undefined;

/** A part of a place that names a state or province. */
interface RegionPart {
  readonly region: Region;
  readonly text: string;
  /** The other parts of the place. */
  readonly others: readonly string[];
  /** The part before it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** ISO 3166-1 codes of two letters and postal codes of states and provinces. */
const CODE_LENGTH = 2;
/** ISO 3166-2 codes have at most three letters after the country. */
const MOST_REGION_CODE = 3;
const US_POSTAL_CODE = /^\d{5}(?:-\d{4})?$/;
/** New Caledonia and the Holy See: a place that the gazetteer does not know is in North Carolina or Virginia. */
const COUNTRIES_OF_FEW_PLACES: ReadonlySet<string> = new Set(['NC', 'VA']);
/** `Toronto, CA` is written of these, although some state has a town of the name. */
const LARGE_CANADIAN_CITIES: ReadonlySet<string> = new Set([
  'toronto',
  'montreal',
  'vancouver',
  'edmonton',
  'ottawa',
  'halifax',
  'surrey',
  'markham',
  'richmond hill',
]);

/** The country of a place as people write it; undefined unless it is Canada or the United States for sure. */
export function countryOfPlace(text: string | undefined): CountryName | undefined {
  const reading = readPlace(text);
  return isHome(reading) ? reading : undefined;
}

/**
 * Reads a place as people write it: `Toronto, ON, CA`, `Remote (United States)`, `US-TX-Austin`. Of several joined by `;`, `/`,
 * `|` or `or` the first in Canada or the United States counts. Undefined when it names no country and no region.
 */
export function readPlace(text: string | undefined): PlaceReading {
  const readings = splitPlace(text ?? '').map(readOne);
  return readings.find(isHome) ?? (['ambiguous', 'abroad'] as const).find((one) => readings.includes(one));
}

/** A country that is written out decides, else the last state or province. */
function readOne(parts: readonly string[]): PlaceReading {
  const countries = parts.filter((part) => !findRegion(part) && countryCodeOf(part));
  const home = countries.find(homeOf);
  // `Christchurch, CAN, NZ`: the code is Canterbury's.
  if (home !== undefined && !countries.some((name) => isRegionOf(countryCodeOf(name) ?? '', home))) return homeOf(home);
  const countryFirst = readCountryFirst(parts);
  if (countryFirst) return countryFirst;
  const last = lastRegion(parts);
  // Lebanon is a city in New Hampshire too, France none in Maine.
  if (last && countries.every((name) => isIn(last.region.area, name))) return readRegion(last);
  return countries.length > 0 ? 'abroad' : undefined;
}

/** `IN-TN-Chennai`, `CO-Florida`: a country abroad and its region or city, both a state's or province's too, unless a city fits the latter. */
function readCountryFirst([first = '', second = '', ...others]: readonly string[]): PlaceReading {
  const country = first.length === CODE_LENGTH ? countryCodeOf(first) : undefined;
  const region = findRegion(second);
  if (country === undefined || isHome(country) || !region) return undefined;
  if (!isRegionOf(country, second) && !isIn(country, second)) return undefined;
  if (others.some((other) => isIn(region.area, other) || findRegion(other))) return undefined;
  return others.length > 0 ? 'abroad' : 'ambiguous';
}

function lastRegion(parts: readonly string[]): RegionPart | undefined {
  const last = parts.findLastIndex((part) => findRegion(part));
  const at = isCityAfterCode(parts, last) ? last - 1 : last;
  const text = parts[at];
  const region = text === undefined ? undefined : findRegion(text);
  if (text === undefined || region === undefined) return undefined;
  return { region, text, others: parts.toSpliced(at, 1), before: parts[at - 1], after: parts[at + 1] };
}

/** `OK-Yukon`: a city with the name of a state or province. */
function isCityAfterCode(parts: readonly string[], at: number): boolean {
  const [code = '', name = ''] = parts.slice(Math.max(at - 1, 0));
  const state = isCode(code) && !isCode(name) && at === parts.length - 1 ? findRegion(code) : undefined;
  return state !== undefined && isIn(state.area, name);
}

function readRegion(part: RegionPart): PlaceReading {
  const { region, text, others } = part;
  const namesake = region.isTerritory ? undefined : countryCodeOf(text);
  const fits = others.some((other) => isIn(region.area, other) || findRegion(other)?.country === region.country);
  if (namesake === undefined) return fits || isUnmistakable(part) ? region.country : 'ambiguous';
  const abroad = isHome(namesake) ? namesake : 'abroad';
  if (isRegionBefore(namesake, part)) return abroad;
  const fitsNamesake = others.some((other) => isRegionOf(namesake, other) || isIn(namesake, other));
  // Postal codes of Canada have letters: five digits are of California.
  if (namesake === 'CA' && US_POSTAL_CODE.test(part.after ?? '')) return region.country;
  if (fits && !fitsNamesake) return region.country;
  if (fitsNamesake && !fits) return others.some((other) => isSureOf(namesake, other)) ? abroad : 'ambiguous';
  const isOfFew = COUNTRIES_OF_FEW_PLACES.has(namesake) && others.length > 0;
  return isOfFew && !fits && isUnknownAbroad(others) ? region.country : 'ambiguous';
}

/** `Toronto, ON, CA` and `Salem, Tamil Nadu, IN`: a region of the country that the code stands for, and no city in the state. */
function isRegionBefore(country: string, { region, others, before }: RegionPart): boolean {
  if (before === undefined || others.length < 2 || !isRegionOf(country, before)) return false;
  if (before.length <= MOST_REGION_CODE || !isIn(region.area, before)) return true;
  // California has an Ontario, but Toronto is in the province.
  const province = findRegion(before)?.area;
  return province !== undefined && others.some((other) => other !== before && isIn(province, other));
}

/** A name in full, or a code that has no city before it or that no country abroad writes after a city. */
function isUnmistakable({ region, text, others }: RegionPart): boolean {
  if (!isCode(text) || others.length === 0) return true;
  return !isRegionCodeAbroad(region.code) && !others.some((other) => isInRegionAbroad(region.code, other));
}

/** `Bogotá, DC`: a country abroad has the city, and a region with the code. */
function isInRegionAbroad(code: string, city: string): boolean {
  return areasOfCity(city).some((area) => isAbroad(area) && isRegionOf(area, code));
}

function isUnknownAbroad(cities: readonly string[]): boolean {
  return !cities.flatMap(areasOfCity).some(isAbroad);
}

function isAbroad(area: string): boolean {
  return !isHome(area.slice(0, CODE_LENGTH));
}

/** Whether a part names a region or a city of a country; not by a Canadian city's name that a state has too: California has towns that are not listed. */
function isSureOf(country: string, part: string): boolean {
  if (isRegionOf(country, part)) return true;
  return isIn(country, part) && (country !== 'CA' || LARGE_CANADIAN_CITIES.has(plainPlace(part)) || !isIn('US', part));
}

function isIn(area: string, city: string): boolean {
  return areasOfCity(city).some((one) => one === area || one.startsWith(`${area}-`));
}

/** `DC` and `D.C.` */
function isCode(text: string): boolean {
  return plainPlace(text).length === CODE_LENGTH;
}

function homeOf(text: string): CountryName | undefined {
  const country = countryCodeOf(text);
  return isHome(country) ? country : undefined;
}

function isHome(country: string | undefined): country is CountryName {
  return country === 'CA' || country === 'US';
}
