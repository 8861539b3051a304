import { JOINING } from './time-words.ts';

/** `begin` is inclusive, `end` exclusive; `length` counts words. */
export interface Period {
  readonly begin: Date;
  readonly end: Date;
  readonly length: number;
}

/** Months from January, zero-based; negative: the previous year. */
interface Months {
  readonly from: number;
  readonly count: number;
  readonly length: number;
}

const MONTHS =
  'january janvier, february fevrier, march mars, april avril, may mai, june juin, july juillet, august aout, september septembre, october octobre, november novembre, december decembre'
    .split(', ')
    .map((names) => names.split(' '));
/** Meteorological and astronomical. A winter begins in the previous year. */
const SEASONS: ReadonlyMap<string, readonly [number, number]> = new Map(
  (
    [
      ['winter hiver', -1, 4],
      ['spring printemps', 2, 4],
      ['summer ete', 5, 4],
      ['autumn fall automne', 8, 4],
    ] as const
  ).flatMap(([names, from, count]) => names.split(' ').map((name) => [name, [from, count]] as const)),
);
const ORDINALS: ReadonlyMap<string, number> = new Map(
  [
    'first 1st premier 1er',
    'second 2nd deuxieme 2e',
    'third 3rd troisieme 3e',
    'fourth 4th quatrieme 4e last dernier',
  ].flatMap((names, at) => names.split(' ').map((name) => [name, at] as const)),
);
const PARTS: ReadonlyMap<string, number> = new Map([
  ['quarter', 3],
  ['trimestre', 3],
  ['half', 6],
  ['semestre', 6],
]);
const PARTS_OF_YEAR: ReadonlyMap<string, readonly [number, number]> = new Map(
  (
    [
      ['early beginning start debut', 0, 4],
      ['mid middle milieu', 3, 6],
      ['late end fin', 8, 4],
    ] as const
  ).flatMap(([names, from, count]) => names.split(' ').map((name) => [name, [from, count]] as const)),
);
const OF: ReadonlySet<string> = new Set(['of', 'de', 'in', 'en', 'the', 'year', 'fiscal', 'calendar', 'l', 'annee']);
const ARTICLES: ReadonlySet<string> = new Set(['the', 'le', 'la']);
const LEADING: ReadonlySet<string> = new Set([...ARTICLES, 'fiscal', 'calendar', 'year']);
const LISTED = 4;

/** Matches "2024", "Q3 2025", "the first half of 2014", "July, August or September of 2008". */
export function periodAt(words: readonly string[], at: number): Period | undefined {
  const from = behindOf(words, at, 2, LEADING);
  const decade = decadeAt(words, from);
  if (decade) return { ...decade, length: decade.length + from - at };
  const months = monthsAt(words, from);
  const listed = months && listedMonths(words, from, months);
  const found = listed ??
    months ?? { from: 0, count: 12, length: ARTICLES.has(words[from - 1] ?? '') && from > at ? -1 : 0 };
  if (found.length < 0) return undefined;
  const yearAt = behindOf(words, from + found.length, found.length > 0 ? 3 : 0);
  const year = yearOf(words[yearAt]);
  if (!year) return undefined;
  return { ...datesOf(year, found), length: yearAt + 1 - at };
}

export function monthsAt(words: readonly string[], at: number): Months | undefined {
  const word = words[at] ?? '';
  const month = monthOf(word);
  if (month >= 0) return { from: month, count: 1, length: 1 };
  const season = SEASONS.get(word);
  if (season) return { from: season[0], count: season[1], length: 1 };
  const short = word.match(/^([qth])([1-4])$/);
  if (short && (short[1] !== 'h' || Number(short[2]) < 3)) {
    const count = short[1] === 'h' ? 6 : 3;
    return { from: (Number(short[2]) - 1) * count, count, length: 1 };
  }
  const count = PARTS.get(words[at + 1] ?? '');
  const ordinal = ORDINALS.get(word);
  if (count !== undefined && ordinal !== undefined) {
    const nth = count === 6 && ordinal === 3 ? 1 : ordinal;
    return nth * count < 12 ? { from: nth * count, count, length: 2 } : undefined;
  }
  const stretch = PARTS_OF_YEAR.get(word);
  return stretch && { from: stretch[0], count: stretch[1], length: 1 };
}

/** The latest such period that has ended: "last winter", "last March". */
export function latestEnded(months: Months, now: Date): Pick<Period, 'begin' | 'end'> {
  const year = now.getUTCFullYear() + 1;
  const all = [year, year - 1, year - 2].map((one) => datesOf(one, months));
  return all.find(({ end }) => end <= now) ?? datesOf(year - 3, months);
}

export function latestBegun(months: Months, now: Date): Pick<Period, 'begin' | 'end'> {
  const year = now.getUTCFullYear() + 1;
  const all = [year, year - 1].map((one) => datesOf(one, months));
  return all.find(({ begin }) => begin <= now) ?? datesOf(year - 2, months);
}

function datesOf(year: number, { from, count }: Pick<Months, 'from' | 'count'>): Pick<Period, 'begin' | 'end'> {
  return { begin: new Date(Date.UTC(year, from, 1)), end: new Date(Date.UTC(year, from + count, 1)) };
}

function listedMonths(words: readonly string[], at: number, first: Months): Months | undefined {
  let end = at + first.length;
  let until = first.from + first.count;
  for (let named = 1; named < LISTED; named += 1) {
    const joint = JOINING.has(words[end] ?? '') ? 1 : 0;
    const next = monthsAt(words, end + joint);
    if (!next || next.from < until) break;
    until = next.from + next.count;
    end += joint + next.length;
  }
  return end > at + first.length ? { from: first.from, count: until - first.from, length: end - at } : undefined;
}

function decadeAt(words: readonly string[], at: number): Period | undefined {
  const begin = Number(words[at]?.match(/^((?:19|20)\d0)s$/)?.[1]);
  const isSplit = /^(?:19|20)\d0$/.test(words[at] ?? '') && words[at + 1] === 's';
  const year = begin || (isSplit ? Number(words[at]) : 0);
  if (!year) return undefined;
  return { begin: new Date(Date.UTC(year, 0, 1)), end: new Date(Date.UTC(year + 10, 0, 1)), length: isSplit ? 2 : 1 };
}

function behindOf(words: readonly string[], from: number, most: number, passed = OF): number {
  let at = from;
  while (at < from + most && passed.has(words[at] ?? '')) at += 1;
  return at;
}

function yearOf(word = ''): number | undefined {
  return /^(?:1[6-9]|20)\d\d$/.test(word) ? Number(word) : undefined;
}

function monthOf(word: string): number {
  return word.length < 3 ? -1 : MONTHS.findIndex((names) => names.some((name) => name.startsWith(word)));
}

export function isSeason(word = ''): boolean {
  return SEASONS.has(word);
}

export function isPartOfYear(word: string): boolean {
  return PARTS_OF_YEAR.has(word);
}
