import type { Token } from './tokens.ts';

/** The time that words ask for, and which words did. */
export interface TimeMention {
  /** Inclusive. */
  readonly since: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
  readonly tokens: ReadonlySet<number>;
}

/** A range of time and the words it takes. */
interface TimeRange {
  readonly since?: Date;
  readonly until?: Date;
  readonly length: number;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };
const RECENT: ReadonlySet<string> = new Set(['recent', 'recently', 'latest', 'lately']);
const RECENT_DAYS = 90;
const DAY_MS = 86_400_000;

/**
 * Finds "since 2023", "after March 2024", "in Q3 2025", "between 2021 and 2023", "before 2020", "in the last three
 * months", "this year", "recently". Of several the latest beginning and the earliest end count.
 */
export function findTime(tokens: readonly Token[], now: Date): TimeMention | undefined {
  const words = tokens.map((token) => token.word);
  const found: (TimeRange & { at: number })[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const range = rangeAt(words, at) ?? dateAt(words, at) ?? spanAt(words, at, now);
    if (!range) continue;
    found.push({ ...range, at });
    at += range.length - 1;
  }
  if (found.length === 0) return undefined;
  const begins = found.flatMap(({ since }) => since ?? []).map(Number);
  const ends = found.flatMap(({ until }) => until ?? []).map(Number);
  return {
    since: begins.length > 0 ? new Date(Math.max(...begins)) : undefined,
    until: ends.length > 0 ? new Date(Math.min(...ends)) : undefined,
    tokens: new Set(found.flatMap(({ at, length }) => Array.from({ length }, (_, offset) => at + offset))),
  };
}

/** A year, a month or a quarter of a year: its first instant, that behind it, and the words it takes. */
interface Period {
  readonly begin: Date;
  readonly end: Date;
  readonly length: number;
}

function periodAt(words: readonly string[], at: number): Period | undefined {
  const word = words[at] ?? '';
  const month = monthOf(word);
  const ordinal = ORDINALS.indexOf(word);
  const isHalf = words[at + 1] === 'half';
  if (month >= 0) return periodOf(words, at + 1, month, 1, at);
  const quarter = word.match(/^q([1-4])$/)?.[1];
  if (quarter) return periodOf(words, at + 1, (Number(quarter) - 1) * 3, 3, at);
  const half = word.match(/^h([12])$/)?.[1];
  if (half) return periodOf(words, at + 1, (Number(half) - 1) * 6, 6, at);
  if (ordinal >= 0 && (words[at + 1] === 'quarter' || (isHalf && ordinal < 2))) {
    const behind = words[at + 2] === 'of' ? at + 3 : at + 2;
    const months = isHalf ? 6 : 3;
    return periodOf(words, behind, ordinal * months, months, at);
  }
  return periodOf(words, at, 0, 12, at);
}

/** So many months of the year at `yearAt`, in words from `from` on. */
function periodOf(
  words: readonly string[],
  yearAt: number,
  month: number,
  months: number,
  from: number,
): Period | undefined {
  const year = Number(words[yearAt]?.match(/^(19|20)\d\d$/)?.[0]);
  if (!year) return undefined;
  const [begin, end] = [Date.UTC(year, month, 1), Date.UTC(year, month + months, 1)];
  return { begin: new Date(begin), end: new Date(end), length: yearAt - from + 1 };
}

function monthOf(word: string): number {
  return word.length < 3 ? -1 : MONTHS.findIndex((month) => month.startsWith(word));
}

/** "between 2021 and 2023", "from March 2024 to June 2024", "2021 to 2023". */
function rangeAt(words: readonly string[], at: number): TimeRange | undefined {
  const opens = ['between', 'from'].includes(words[at] ?? '') ? 1 : 0;
  const first = periodAt(words, at + opens);
  if (!first) return undefined;
  const behind = at + opens + first.length;
  const isJoined = ['and', 'to', 'until', 'through', 'till'].includes(words[behind] ?? '') ? 1 : 0;
  const isRange = isJoined === 1 ? opens === 1 || words[behind] !== 'and' : first.length === 1;
  const last = isRange ? periodAt(words, behind + isJoined) : undefined;
  if (!last || last.begin < first.begin) return undefined;
  return { since: first.begin, until: last.end, length: opens + first.length + isJoined + last.length };
}

function dateAt(words: readonly string[], at: number): TimeRange | undefined {
  const word = words[at] ?? '';
  const period = periodAt(words, at + 1);
  if (!period) return quarterAt(words, at);
  const length = period.length + 1;
  const isOpen = ['onward', 'onwards', 'on'].includes(words[at + length] ?? '');
  if (['since', 'from'].includes(word)) return { since: period.begin, length: isOpen ? length + 1 : length };
  if (word === 'after') return { since: period.end, length };
  if (['before', 'until', 'till'].includes(word))
    return { until: word === 'before' ? period.begin : period.end, length };
  return ['in', 'during', 'throughout'].includes(word)
    ? { since: period.begin, until: period.end, length }
    : quarterAt(words, at);
}

/** "March 2024", "Q3 2025": what is no mere number needs no preposition. */
function quarterAt(words: readonly string[], at: number): TimeRange | undefined {
  const period = periodAt(words, at);
  return period && period.length > 1 ? { since: period.begin, until: period.end, length: period.length } : undefined;
}

function spanAt(words: readonly string[], at: number, now: Date): TimeRange | undefined {
  const [word = '', next = '', third = ''] = words.slice(at, at + 3);
  if (RECENT.has(word)) return { since: daysBefore(now, RECENT_DAYS), length: 1 };
  if (word === 'this' || word === 'current') return thisUnit(next, now);
  if (!['last', 'past', 'previous'].includes(word)) return undefined;
  const unit = daysOf(next);
  if (unit) return { since: daysBefore(now, unit), length: 2 };
  const count = Number(next.match(/^\d{1,3}$/)?.[0] ?? NUMBERS.indexOf(next));
  const days = daysOf(third);
  return count > 0 && days ? { since: daysBefore(now, count * days), length: 3 } : undefined;
}

function thisUnit(unit: string, now: Date): TimeRange | undefined {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (unit === 'year') return { since: new Date(Date.UTC(year, 0, 1)), length: 2 };
  if (unit === 'quarter') return { since: new Date(Date.UTC(year, month - (month % 3), 1)), length: 2 };
  if (unit === 'month') return { since: new Date(Date.UTC(year, month, 1)), length: 2 };
  return unit === 'week' ? { since: daysBefore(now, (now.getUTCDay() + 6) % 7), length: 2 } : undefined;
}

function daysOf(unit: string): number | undefined {
  return UNIT_DAYS[unit.replace(/s$/, '')];
}

function daysBefore(now: Date, days: number): Date {
  const at = new Date(now.getTime() - days * DAY_MS);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
}
