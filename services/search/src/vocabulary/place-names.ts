import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { wordsOf } from '../text/words.ts';
import { PhraseTable } from './phrase-table.ts';

export interface PlaceName {
  readonly names: readonly string[];
  /** Names of places within it, which are weaker evidence. */
  readonly near: readonly string[];
  /** These longer names contain one of `names` but mean another place. */
  readonly except: readonly string[];
  readonly country: Country;
  /** Whether the words also remain search terms, like adjectives in company names. */
  readonly kept: boolean;
  /** The words name the place only in the context of a place. */
  readonly needsContext: boolean;
  readonly around: readonly string[];
  readonly cityOf: string;
}

export interface PlaceNames {
  readonly table: PhraseTable<readonly PlaceName[]>;
  readonly codes: ReadonlyMap<string, string>;
}

interface Line {
  readonly left: string;
  readonly right: readonly string[];
  readonly except: readonly string[];
}

interface Listing {
  readonly code: string;
  readonly needsContext: boolean;
}

/** The largest cities of a state are evidence in texts that do not name the state. */
const CITIES_OF_STATE = 6;
const NEAR_REGION = 40;
/** These codes are stop words in the index, so they do not identify a city's state. */
const SILENT_CODES: ReadonlySet<string> = new Set(['in', 'me', 'on', 'or']);

export function parsePlaceNames(placeLines: readonly string[], cityLines: readonly string[]): PlaceNames {
  const lines = placeLines.map((line) => parseLine('places.txt', line));
  const cities = cityLines.map((line) => parseLine('cities.txt', line));
  const states = lines.filter(({ left }) => /^[A-Z]{2}$/.test(left));
  const codes = new Map(states.map(({ left, right }) => [left, spellingOf(right[0])]));
  const table = new PhraseTable<readonly PlaceName[]>({ isExact: true });
  const listings = listingsOf(cities);
  const isRegion = ({ left }: Line) => left === left.toLowerCase() && !left.startsWith('+');
  addStates(
    table,
    lines.filter((line) => !isRegion(line)),
    (code) => citiesOf(code, cities, listings),
  );
  addCities(table, cities, listings, codes);
  addRegions(table, lines.filter(isRegion));
  return { table, codes };
}

type Table = PhraseTable<readonly PlaceName[]>;

function add(table: Table, spelling: string, place: PlaceName): void {
  const words = wordsOf(spelling);
  table.set(words, [...(table.get(words) ?? []), place]);
}

function addStates(table: Table, lines: readonly Line[], citiesIn: (code: string) => string[]): void {
  for (const { left, right, except } of lines) {
    const country = left.startsWith('+') ? countryNamed(left.slice(1)) : Country.UNSPECIFIED;
    const place = { ...PLAIN, names: right.map(spellingOf), near: citiesIn(left), except, country };
    for (const spelling of right) add(table, spelling, { ...place, kept: spelling.startsWith('~') });
  }
}

function addCities(
  table: Table,
  cities: readonly Line[],
  listings: ReadonlyMap<string, readonly Listing[]>,
  codes: ReadonlyMap<string, string>,
): void {
  const forms = (city: string, code: string) => formsOf(city, code, codes.get(code) ?? '');
  const arounds = aroundOf(cities, listings, forms);
  for (const [city, listed] of listings)
    for (const { code, needsContext } of listed) {
      const others = listed.filter((other) => other.code !== code).flatMap((other) => forms(city, other.code));
      add(table, city, {
        ...PLAIN,
        names: needsContext ? forms(city, code) : [city],
        except: needsContext ? [] : others,
        needsContext,
        around: arounds.get(city) ?? [],
        cityOf: code,
      });
    }
}

/**
 * Names of its members and its multi-word names ("northwest" is too frequent). An unknown member is
 * a name itself.
 */
function addRegions(table: Table, lines: readonly Line[]): void {
  for (const { left, right } of lines) {
    const known = right.map((member) => table.get(wordsOf(member))?.[0]);
    const members = right.flatMap((member, at) => known[at]?.names ?? spellingOf(member));
    const spellings = left.split(' / ');
    const own = spellings.map(spellingOf).filter((name) => name.includes(' '));
    const names = [...new Set([...members, ...own])];
    const near = [...new Set(known.flatMap((place) => place?.near ?? []))].slice(0, NEAR_REGION);
    const except = known.flatMap((place) => place?.except ?? []);
    for (const spelling of spellings)
      add(table, spelling, { ...PLAIN, names, near, except, kept: spelling.startsWith('~') });
  }
}

const PLAIN = {
  near: [],
  except: [],
  country: Country.UNSPECIFIED,
  kept: false,
  needsContext: false,
  around: [],
  cityOf: '',
} as const;

/** City with its state: "jackson tn tennessee" (index text), "jackson tennessee", "jackson tn". */
export function formsOf(city: string, code: string, state: string): string[] {
  const short = code.toLowerCase();
  return [`${city} ${short} ${state}`, `${city} ${state}`, ...(SILENT_CODES.has(short) ? [] : [`${city} ${short}`])];
}

function parseLine(file: string, line: string): Line {
  const [left, names = ''] = splitOnce(line, ' = ');
  const [right, except = ''] = splitOnce(names, ' ! ');
  if (!left || !right) throw new Error(`${file}: cannot read "${line}"`);
  const exceptions = except.split(',').map((text) => wordsOf(text).join(' '));
  return { left, right: right.split(',').map((text) => text.trim()), except: exceptions.filter(Boolean) };
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

function spellingOf(text = ''): string {
  return wordsOf(text).join(' ');
}

function countryNamed(code: string): Country {
  const country = Country[code as keyof typeof Country];
  if (country === undefined) throw new Error(`places.txt: "${code}" is no country`);
  return country;
}

/** Lists the states of each city. States that need no context come first. */
function listingsOf(cities: readonly Line[]): ReadonlyMap<string, readonly Listing[]> {
  const listings = new Map<string, Listing[]>();
  for (const { left: code, right } of cities.filter(({ left }) => !left.startsWith('*')))
    for (const city of right) {
      const listing = { code, needsContext: city.startsWith('?') };
      listings.set(spellingOf(city), [...(listings.get(spellingOf(city)) ?? []), listing]);
    }
  const surest = (listed: readonly Listing[]) =>
    listed.toSorted((a, b) => Number(a.needsContext) - Number(b.needsContext));
  return new Map([...listings].map(([city, listed]) => [city, surest(listed)]));
}

function citiesOf(code: string, cities: readonly Line[], listings: ReadonlyMap<string, readonly Listing[]>): string[] {
  const own = cities.find(({ left }) => left === code)?.right.map(spellingOf) ?? [];
  const meant = own.filter((city) => {
    const [first] = listings.get(city) ?? [];
    return first?.code === code && !first.needsContext;
  });
  return meant.slice(0, CITIES_OF_STATE);
}

function aroundOf(
  cities: readonly Line[],
  listings: ReadonlyMap<string, readonly Listing[]>,
  forms: (city: string, code: string) => string[],
): ReadonlyMap<string, readonly string[]> {
  const namesOf = (city: string, home: string | undefined) => {
    const listed = listings.get(city) ?? [];
    const listing = listed.find(({ code }) => code === home) ?? listed[0];
    return listing?.needsContext ? forms(city, listing.code) : [city];
  };
  const arounds = cities.filter(({ left }) => left.startsWith('*'));
  return new Map(
    arounds.map(({ left, right }) => {
      const city = spellingOf(left);
      const home = listings.get(city)?.[0]?.code;
      return [city, right.flatMap((neighbour) => namesOf(spellingOf(neighbour), home))];
    }),
  );
}
