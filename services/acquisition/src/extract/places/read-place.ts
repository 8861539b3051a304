import type { CountryName } from '@ces/proto/catalog';
import { countryCodeOf, isRegionCodeAbroad, isRegionOf } from './country-names.ts';
import { areasOfCity } from './gazetteer.ts';
import { splitPlace } from './place-parts.ts';
import { findRegion, type Region } from './places.ts';
import { plainPlace } from './plain-place.ts';

interface RegionPart {
  readonly region: Region;
  readonly text: string;
  readonly others: readonly string[];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const CODE_LENGTH = 2;
const MOST_REGION_CODE = 3;
const US_POSTAL_CODE = /^\d{5}(?:-\d{4})?$/;
/** New Caledonia and the Holy See: other places with the code are in North Carolina or Virginia. */
const COUNTRIES_OF_FEW_PLACES: ReadonlySet<string> = new Set(['NC', 'VA']);
/** `Toronto, CA` means Canada, although a state has a town with the same name. */
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

/**
 * Reads `Toronto, ON, CA`, `Remote (United States)`, `US-TX-Austin`. The first alternative in
 * Canada or the United States counts. Undefined abroad or if ambiguous.
 */
export function countryOfPlace(text: string | undefined): CountryName | undefined {
  for (const parts of splitPlace(text ?? '')) {
    const country = readOne(parts);
    if (country) return country;
  }
  return undefined;
}

/** A country in full decides; otherwise the last state or province does. */
function readOne(parts: readonly string[]): CountryName | undefined {
  const countries = parts.filter((part) => !findRegion(part) && countryCodeOf(part));
  const home = countries.find(homeOf);
  // In `Christchurch, CAN, NZ` the code is Canterbury in New Zealand.
  if (home !== undefined && !countries.some((name) => isRegionOf(countryCodeOf(name) ?? '', home))) return homeOf(home);
  if (beginsWithCountryAbroad(parts)) return undefined;
  const last = lastRegion(parts);
  // New Hampshire has a city named Lebanon, but Maine has no city named France.
  return last && countries.every((name) => isIn(last.region.area, name)) ? readRegion(last) : undefined;
}

/** `IN-TN-Chennai`: a country abroad, then its region with the name of a state. */
function beginsWithCountryAbroad([first = '', second = '', ...others]: readonly string[]): boolean {
  const country = first.length === CODE_LENGTH ? countryCodeOf(first) : undefined;
  const region = findRegion(second);
  if (country === undefined || isHome(country) || !region) return false;
  if (!isRegionOf(country, second) && !isIn(country, second)) return false;
  return !others.some((other) => isIn(region.area, other) || findRegion(other));
}

function lastRegion(parts: readonly string[]): RegionPart | undefined {
  const last = parts.findLastIndex((part) => findRegion(part));
  const at = isCityAfterCode(parts, last) ? last - 1 : last;
  const text = parts[at];
  const region = text === undefined ? undefined : findRegion(text);
  if (text === undefined || region === undefined) return undefined;
  return { region, text, others: parts.toSpliced(at, 1), before: parts[at - 1], after: parts[at + 1] };
}

/** In `OK-Yukon` the last part is a city with the name of a state or province. */
function isCityAfterCode(parts: readonly string[], at: number): boolean {
  const [code = '', name = ''] = parts.slice(Math.max(at - 1, 0));
  const state = isCode(code) && !isCode(name) && at === parts.length - 1 ? findRegion(code) : undefined;
  return state !== undefined && isIn(state.area, name);
}

function readRegion(part: RegionPart): CountryName | undefined {
  const { region, text, others } = part;
  const namesake = region.isTerritory ? undefined : countryCodeOf(text);
  const fits = others.some((other) => isIn(region.area, other) || findRegion(other)?.country === region.country);
  if (namesake === undefined) return fits || isUnmistakable(part) ? region.country : undefined;
  const home = isHome(namesake) ? namesake : undefined;
  if (isRegionBefore(namesake, part)) return home;
  const fitsNamesake = others.some((other) => isRegionOf(namesake, other) || isIn(namesake, other));
  // Canadian postal codes contain letters, so `CA` before five digits is California.
  if (namesake === 'CA' && US_POSTAL_CODE.test(part.after ?? '')) return region.country;
  if (fits && !fitsNamesake) return region.country;
  if (fitsNamesake && !fits) return others.some((other) => isSureOf(namesake, other)) ? home : undefined;
  const isOfFew = COUNTRIES_OF_FEW_PLACES.has(namesake) && others.length > 0;
  return isOfFew && !fits && isUnknownAbroad(others) ? region.country : undefined;
}

/** `Toronto, ON, CA`: the region precedes its country's code and is not a city of the state. */
function isRegionBefore(country: string, { region, others, before }: RegionPart): boolean {
  if (before === undefined || others.length < 2 || !isRegionOf(country, before)) return false;
  if (before.length <= MOST_REGION_CODE || !isIn(region.area, before)) return true;
  // California has a city named Ontario, but Toronto is in the province.
  const province = findRegion(before)?.area;
  return province !== undefined && others.some((other) => other !== before && isIn(province, other));
}

/** A full name, a code without a city, or a code that no country abroad writes after a city. */
function isUnmistakable({ region, text, others }: RegionPart): boolean {
  if (!isCode(text) || others.length === 0) return true;
  return !isRegionCodeAbroad(region.code) && !others.some((other) => isInRegionAbroad(region.code, other));
}

/** In `Bogotá, DC` a country abroad has the city and a region with the code. */
function isInRegionAbroad(code: string, city: string): boolean {
  return areasOfCity(city).some((area) => isAbroad(area) && isRegionOf(area, code));
}

function isUnknownAbroad(cities: readonly string[]): boolean {
  return !cities.flatMap(areasOfCity).some(isAbroad);
}

function isAbroad(area: string): boolean {
  return !isHome(area.slice(0, CODE_LENGTH));
}

/** A city is no proof if a state has one of the same name; not all of California's are listed. */
function isSureOf(country: string, part: string): boolean {
  if (isRegionOf(country, part)) return true;
  return isIn(country, part) && (country !== 'CA' || LARGE_CANADIAN_CITIES.has(plainPlace(part)) || !isIn('US', part));
}

function isIn(area: string, city: string): boolean {
  return areasOfCity(city).some((one) => one === area || one.startsWith(`${area}-`));
}

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
