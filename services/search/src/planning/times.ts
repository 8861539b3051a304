import type { Token } from './tokens.ts';

/** An instant that words ask for, and which words did. */
export interface TimeMention {
  readonly since: Date;
  readonly tokens: ReadonlySet<number>;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const UNIT_DAYS: Readonly<Record<string, number>> = {
  day: 1,
  days: 1,
  week: 7,
  weeks: 7,
  month: 30,
  months: 30,
  quarter: 91,
  quarters: 91,
  year: 365,
  years: 365,
};
const RECENT_DAYS = 90;

/** Finds "since 2023", "after March 2024", "in 2025", "last 3 months", "this year", "recently"; the latest instant counts. */
export function findTime(tokens: readonly Token[], now: Date): TimeMention | undefined {
  const words = tokens.map((token) => token.word);
  const mentions = words.flatMap((_, at) => {
    const found = dateAt(words, at) ?? spanAt(words, at, now);
    return found ? [{ ...found, at }] : [];
  });
  const latest = mentions.toSorted((a, b) => b.since.getTime() - a.since.getTime())[0];
  if (!latest) return undefined;
  return {
    since: latest.since,
    tokens: new Set(mentions.flatMap(({ at, length }) => Array.from({ length }, (_, offset) => at + offset))),
  };
}

function dateAt(words: readonly string[], at: number): { since: Date; length: number } | undefined {
  const word = words[at] ?? '';
  if (!['since', 'after', 'from', 'in', 'during'].includes(word)) return undefined;
  const month = MONTHS.indexOf(words[at + 1] ?? '');
  const year = Number((month < 0 ? words[at + 1] : words[at + 2])?.match(/^(19|20)\d\d$/)?.[0]);
  if (!year) return undefined;
  const skipped = word === 'after' ? 1 : 0;
  return month < 0
    ? { since: new Date(Date.UTC(year + skipped, 0, 1)), length: 2 }
    : { since: new Date(Date.UTC(year, month + skipped, 1)), length: 3 };
}

function spanAt(words: readonly string[], at: number, now: Date): { since: Date; length: number } | undefined {
  const [word = '', next = '', third = ''] = words.slice(at, at + 3);
  if (['recent', 'recently', 'latest', 'lately'].includes(word))
    return { since: daysBefore(now, RECENT_DAYS), length: 1 };
  if (word === 'this' && next === 'year') return { since: new Date(Date.UTC(now.getUTCFullYear(), 0, 1)), length: 2 };
  if (!['last', 'past'].includes(word)) return undefined;
  const days = UNIT_DAYS[next];
  if (days) return { since: daysBefore(now, days), length: 2 };
  const count = Number(next.match(/^\d{1,3}$/)?.[0]);
  const unit = UNIT_DAYS[third];
  return count && unit ? { since: daysBefore(now, count * unit), length: 3 } : undefined;
}

function daysBefore(now: Date, days: number): Date {
  const at = new Date(now.getTime() - days * 86_400_000);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
}
