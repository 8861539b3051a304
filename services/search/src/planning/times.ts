import { startsWithCapital } from './city-in-state.ts';
import { isPartOfYear, isSeason, latestBegun, latestEnded, monthsAt, type Period, periodAt } from './periods.ts';
import { spanAt } from './spans.ts';
import { BOUND_FIRST, BOUNDS, type Bound, EARLIER, ENDS, JOINING, LATER, ONWARD, OPENING, TO } from './time-words.ts';
import type { Token } from './tokens.ts';

const COHORTS: ReadonlySet<string> = new Set(
  'class cohort grad grads graduate graduates graduating graduation intake promotion'.split(' '),
);

export interface TimeMention {
  /** `since` is inclusive, and `until` is exclusive. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** "Recently" counts only if the query names no time. */
  readonly isVague?: boolean | undefined;
  readonly start: number;
  readonly length: number;
}

type TimeRange = Omit<TimeMention, 'start'>;

/** Matches "after March 2024", "between 2021 and 2023", "recently", also in French. */
export function findTimes(tokens: readonly Token[], now: Date, inPlaces: ReadonlySet<number>): TimeMention[] {
  const words = tokens.map((token) => token.word);
  const found: TimeMention[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const range =
      rangeAt(words, at) ??
      boundedAt(words, at, now) ??
      openEndedAt(words, at) ??
      plainAt(words, at) ??
      lastYear(tokens, at, inPlaces) ??
      nearAt(words, at, now);
    if (!range || isCohort(words, at, range.length)) continue;
    found.push({ ...range, start: at });
    at += range.length - 1;
  }
  return found;
}

/** The latest beginning and the earliest end apply. A negated time bounds the opposite side. */
export function requestedTime(
  mentions: readonly TimeMention[],
  isNegated: (index: number) => boolean,
): Pick<TimeMention, 'since' | 'until'> {
  const exact = mentions.filter(({ isVague }) => !isVague);
  const counted = exact.length > 0 ? exact : mentions;
  const asked = counted.map((mention) => (isNegated(mention.start) ? opposite(mention) : mention));
  const begins = asked.flatMap(({ since }) => since ?? []).map(Number);
  const ends = asked.flatMap(({ until }) => until ?? []).map(Number);
  return {
    since: begins.length > 0 ? new Date(Math.max(...begins)) : undefined,
    until: ends.length > 0 ? new Date(Math.min(...ends)) : undefined,
  };
}

function opposite({ since, until }: TimeMention): Pick<TimeMention, 'since' | 'until'> {
  return since && until ? {} : { since: until, until: since };
}

/** Matches "between 2021 and 2023", "March to June 2024", "2021-2023". */
function rangeAt(words: readonly string[], at: number): TimeRange | undefined {
  const opens = OPENING.has(words[at] ?? '') ? 1 : 0;
  const first = periodAt(words, at + opens) ?? monthsWithin(words, at + opens);
  if (!first) return undefined;
  const behind = at + opens + first.length;
  const joint = words[behind] ?? '';
  const joins = TO.has(joint) || (opens === 1 && JOINING.has(joint)) ? 1 : 0;
  const last = joins === 1 || first.length === 1 ? periodAt(words, behind + joins) : undefined;
  const isShort = joins === 0 && opens === 0 ? shortYearAt(words, at, behind) : undefined;
  const end = last ?? isShort;
  if (!end || end.begin < first.begin || first.begin > end.end) return undefined;
  return { since: first.begin, until: end.end, length: opens + first.length + joins + end.length };
}

function shortYearAt(words: readonly string[], at: number, behind: number): Period | undefined {
  const [first = '', second = ''] = [words[at], words[behind]];
  const isNext = /^(?:19|20)\d\d$/.test(first) && /^\d\d$/.test(second) && Number(second) === (Number(first) + 1) % 100;
  return isNext ? periodAt([String(Number(first) + 1)], 0) : undefined;
}

/** Gives a month without a year the year of the time after "to". */
function monthsWithin(words: readonly string[], at: number): Period | undefined {
  const first = monthsAt(words, at);
  const joint = at + (first?.length ?? 0);
  if (!first || !(TO.has(words[joint] ?? '') || JOINING.has(words[joint] ?? ''))) return undefined;
  const last = periodAt(words, joint + 1);
  const year = last?.length && last.length > 1 ? words[joint + last.length] : undefined;
  const period = year === undefined ? undefined : periodAt([...words.slice(at, joint), year], 0);
  return period && { ...period, length: first.length };
}

function boundedAt(words: readonly string[], at: number, now: Date): TimeRange | undefined {
  if (!BOUND_FIRST.has(words[at] ?? '')) return undefined;
  for (const [phrase, bound] of BOUNDS) {
    if (!phrase.every((word, offset) => words[at + offset] === word)) continue;
    const period = listedAt(words, at + phrase.length, bound) ?? relativeAt(words, at + phrase.length, now);
    const article = words[at + phrase.length] === 'the' ? 1 : 0;
    const near = period ? undefined : spanAt(words, at + phrase.length + article, now);
    if (near) return { ...bounded(near, bound), isVague: near.isVague, length: phrase.length + article + near.length };
    if (!period || (['a', 'by'].includes(phrase[0] ?? '') && isYear(words[at + 1]))) continue;
    if (phrase[0] === 'of' && isYear(words[at + 1]) && !ENDS.has(words[at + 2] ?? '')) return undefined;
    const length = phrase.length + period.length;
    if (bound === 'in') {
      const open = openEndedAt(words, at + phrase.length);
      if (open) return { ...open, length: phrase.length + open.length };
      return { since: period.begin, until: period.end, length };
    }
    const onward = bound === 'from' && ONWARD.has(words[at + length] ?? '') ? 1 : 0;
    if (bound === 'from') return { since: period.begin, length: length + onward };
    if (bound === 'after') return { since: period.end, length };
    const isToEnd = bound === 'until' || words.slice(at + 1, at + 3).includes('end');
    return { until: isToEnd ? period.end : period.begin, length };
  }
  return undefined;
}

function bounded({ since, until }: Omit<TimeRange, 'length'>, bound: Bound): Omit<TimeRange, 'length'> {
  if (bound === 'in') return { since, until };
  if (bound === 'from' || bound === 'after') return { since: bound === 'after' ? (until ?? since) : since };
  return { until: bound === 'before' ? since : until };
}

function openEndedAt(words: readonly string[], at: number): TimeRange | undefined {
  const period = periodAt(words, at);
  if (!period) return undefined;
  const behind = at + period.length;
  const joint = JOINING.has(words[behind] ?? '') ? 1 : 0;
  const word = words[behind + joint] ?? '';
  const length = period.length + joint + 1;
  if (joint === 1 && LATER.has(word)) return { since: period.begin, length };
  if (joint === 1 && EARLIER.has(word)) return { until: period.end, length };
  return joint === 0 && ONWARD.has(word) && word !== 'on' ? { since: period.begin, length } : undefined;
}

/** A bare year within a query and "summer 2026" need a preposition; "March 2024" does not. */
function plainAt(words: readonly string[], at: number): TimeRange | undefined {
  const period = periodAt(words, at);
  return period && !(period.length === 1 && isYear(words[at])) && !isSeason(words[at])
    ? { since: period.begin, until: period.end, length: period.length }
    : undefined;
}

/** "solar farms in Texas 2023". After another name it is a version: "SQL Server 2016". */
function lastYear(tokens: readonly Token[], at: number, inPlaces: ReadonlySet<number>): TimeRange | undefined {
  const before = tokens[at - 1];
  if (at < tokens.length - 1 || !before || before.word === 'of' || !isYear(tokens[at]?.word)) return undefined;
  const isName = startsWithCapital(before) && before.text.length > 1 && !inPlaces.has(before.index);
  const period = isName ? undefined : periodAt([tokens[at]?.word ?? ''], 0);
  return period && { since: period.begin, until: period.end, length: 1 };
}

function nearAt(words: readonly string[], at: number, now: Date): TimeRange | undefined {
  const period = relativeAt(words, at, now);
  return period ? { since: period.begin, until: period.end, length: period.length } : spanAt(words, at, now);
}

function listedAt(words: readonly string[], at: number, bound: Bound): Period | undefined {
  let period = periodAt(words, at);
  const isWinter = ['winter', 'hiver'].some((word) => words.slice(at, at + 2).includes(word));
  for (let more = 0; period && bound === 'in' && more < 4; more += 1) {
    const behind = at + period.length;
    const joint = JOINING.has(words[behind] ?? '') ? 1 : 0;
    const next: Period | undefined = periodAt(words, behind + joint) ?? shortYearAt(words, behind - 1, behind);
    if (!next || next.begin < period.begin) break;
    const begin = isWinter && more === 0 ? new Date(Date.UTC(next.begin.getUTCFullYear() - 1, 11, 1)) : period.begin;
    const end = isWinter && next.length === 1 ? new Date(Date.UTC(next.begin.getUTCFullYear(), 3, 1)) : next.end;
    period = { begin, end, length: period.length + joint + next.length };
  }
  return period;
}

/** Matches "last winter", "last March", "this spring", "l'hiver dernier", "cet été". */
function relativeAt(words: readonly string[], at: number, now: Date): Period | undefined {
  const from = ['the', 'l', 'le'].includes(words[at] ?? '') ? at + 1 : at;
  const word = words[from] ?? '';
  const isThis = ['this', 'cet', 'ce'].includes(word);
  const isLast = ['last', 'past', 'previous'].includes(word);
  const named = words[from + (isThis || isLast ? 1 : 0)] ?? '';
  const months = monthsAt(words, from + (isThis || isLast ? 1 : 0));
  /* "this mid-size bank" and "this late stage" name no part of a year. */
  if (!months || (isPartOfYear(named) && months.length === 1)) return undefined;
  const behind = from + months.length;
  if (isThis) return { ...latestBegun(months, now), length: behind + 1 - at };
  if (isLast) return { ...latestEnded(months, now), length: behind + 1 - at };
  if (['in', 'since', 'during'].includes(words[at - 1] ?? '') && months.count === 1 && named !== 'mars')
    return { ...latestBegun(months, now), length: behind - at };
  const isBehind = ['dernier', 'derniere', 'passe', 'passee'].includes(words[behind] ?? '');
  return isBehind ? { ...latestEnded(months, now), length: behind + 1 - at } : undefined;
}

/** In "the class of 2026" or "2026 grads" the year is a label, not the time of an event. */
function isCohort(words: readonly string[], at: number, length: number): boolean {
  if (!isYear(words[at + length - 1]) || length > 2) return false;
  return COHORTS.has(words[at - 1] ?? '') || COHORTS.has(words[at + length] ?? '');
}

function isYear(word = ''): boolean {
  return /^\d{4}$/.test(word);
}
