import type { Country } from './countries.ts';

export interface Region {
  readonly code: string;
  readonly name: string;
  readonly country: Country;
}

const UNITED_STATES =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming';
const CANADA =
  'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon';

/** States, the District of Columbia, provinces and territories. */
export const REGIONS: readonly Region[] = [...regionsOf('US', UNITED_STATES), ...regionsOf('CA', CANADA)];

/** Longer names first, so that “West Virginia” is not read as “Virginia”. */
const BY_LENGTH = REGIONS.toSorted((a, b) => b.name.length - a.name.length);
const NAMES = BY_LENGTH.map(({ name }) => name.replaceAll(' ', '\\s+')).join('|');
const NAME = new RegExp(`(?<![\\p{L}\\p{N}])(?:${NAMES})(?![\\p{L}\\p{N}])`, 'giu');
const AFTER_CITY = new RegExp(
  `((?:\\p{Lu}[\\p{L}'’.-]*)(?:\\s\\p{Lu}[\\p{L}'’.-]*){0,2}),\\s+(${NAMES}|[A-Z]{2})(?![\\p{L}\\p{N}])`,
  'gu',
);
const BY_NAME = new Map(REGIONS.map((region) => [region.name.toLowerCase(), region]));
const BY_CODE = new Map(REGIONS.map((region) => [region.code, region]));

export interface NamedPlace {
  readonly region: Region;
  /** As the text names it before the region; undefined when it names only the region. */
  readonly city?: string;
  readonly from: number;
  readonly to: number;
}

/** Looks after cities first (“Laval, QC”). Only there abbreviations count: “IN” is also a word. */
export function findPlaces(text: string): readonly NamedPlace[] {
  const plain = withoutAccents(text);
  const afterCities = [...plain.matchAll(AFTER_CITY)].flatMap(({ 0: all, 1: city = '', 2: name = '', index }) => {
    const region = BY_CODE.get(name) ?? byName(name);
    if (!region || isListed(city, region)) return [];
    return [{ region, city: text.slice(index, index + city.length), from: index, to: index + all.length }];
  });
  const bare = [...plain.matchAll(NAME)].flatMap(({ 0: name, index }) => {
    const region = byName(name);
    const known = afterCities.some(({ from, to }) => index < to && index + name.length > from);
    return region && !known ? [{ region, from: index, to: index + name.length }] : [];
  });
  return [...afterCities, ...bare];
}

export function regionOfCode(code: string): Region | undefined {
  return BY_CODE.get(code);
}

function byName(name: string): Region | undefined {
  return BY_NAME.get(name.toLowerCase().replaceAll(/\s+/g, ' '));
}

/** Of a list of Canadian provinces. Many cities of the United States are named like a state. */
function isListed(city: string, region: Region): boolean {
  const before = byName(city);
  return before !== undefined && before !== region && before.country === 'CA' && region.country === 'CA';
}

/** Keeps positions: each letter stays one code unit. */
function withoutAccents(text: string): string {
  return text.replace(/[À-ÿ]/g, (letter) => letter.normalize('NFD').charAt(0));
}

function regionsOf(country: Country, list: string): readonly Region[] {
  return list.split('|').map((entry) => ({ code: entry.slice(0, 2), name: entry.slice(3), country }));
}
