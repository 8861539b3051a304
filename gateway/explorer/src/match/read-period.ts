import type { Remainder } from './remainder.ts';

export interface Period {
  readonly text: string;
  /** Inclusive, in milliseconds since 1970; absent: no bound. */
  readonly from?: number;
  /** Exclusive. */
  readonly until?: number;
}

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH = `(?:(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\.?\\s+)?`;
const DATED = new RegExp(`\\b(since|after|from|in|during|before|until)\\s+${MONTH}((?:19|20)\\d\\d)\\b`, 'gi');
const RELATIVE =
  /\b(?:in|within|over|during)?\s*(?:the\s+)?(?:last|past)\s+(?:(\d{1,3})\s+)?(day|week|month|quarter|year)s?\b/gi;
const CURRENT = /\bthis\s+(week|month|year)\b/gi;

/** Dates are UTC. */
export function takePeriods(rest: Remainder, asOf: Date): readonly Period[] {
  return [
    ...rest.take(DATED).map(({ text }) => dated(text)),
    ...rest.take(RELATIVE).map(({ text }) => relative(text, asOf)),
    ...rest.take(CURRENT).map(({ text }) => current(text, asOf)),
  ];
}

function dated(text: string): Period {
  const [, word = '', month, year = ''] = new RegExp(DATED.source, 'i').exec(text) ?? [];
  const at =
    month === undefined ? undefined : MONTHS.findIndex((name) => name.startsWith(month.slice(0, 3).toLowerCase()));
  const from = Date.UTC(Number(year), at ?? 0);
  const until = at === undefined ? Date.UTC(Number(year) + 1, 0) : Date.UTC(Number(year), at + 1);
  if (/^(?:before|until)$/i.test(word)) return { text, until: from };
  if (/^after$/i.test(word)) return { text, from: until };
  return /^(?:since|from)$/i.test(word) ? { text, from } : { text, from, until };
}

function relative(text: string, asOf: Date): Period {
  const [, number = '1', unit = 'day'] = new RegExp(RELATIVE.source, 'i').exec(text) ?? [];
  const days = Number(number) * (DAYS[unit.toLowerCase()] ?? 1);
  return { text: text.trim(), from: startOfDay(asOf) - days * DAY_MS };
}

function current(text: string, asOf: Date): Period {
  const [year, month] = [asOf.getUTCFullYear(), asOf.getUTCMonth()];
  if (/year$/i.test(text)) return { text, from: Date.UTC(year, 0) };
  if (/month$/i.test(text)) return { text, from: Date.UTC(year, month) };
  return { text, from: startOfDay(asOf) - ((asOf.getUTCDay() + 6) % 7) * DAY_MS };
}

function startOfDay(instant: Date): number {
  return Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate());
}
