/** A period of evenly spread operations with its own range of ids. */
export interface Stretch {
  readonly from: Date;
  readonly to: Date;
  readonly firstId: bigint;
  readonly count: number;
  /**
   * Whether operations still keeps them. Of older ones only postings and idempotency keys remain.
   */
  readonly isKept: boolean;
}

export interface HistoryVolume {
  readonly operations: number;
  readonly entries: number;
}

const MONTHS = 24;
const KEPT_MS = 400 * 86_400_000;
const RETIRED = 2_000;
const HOUR_MS = 3_600_000;
/** Bits of an id below the number of its month. */
const NUMBERS_A_MONTH = 24n;

/**
 * The 24 calendar months (UTC) up to yesterday. Kept months share `operations`, older months share
 * the rest.
 */
export function monthsBefore(now: Date, { operations, entries }: HistoryVolume): Stretch[] {
  const end = beginningOfToday(now);
  const months = Array.from({ length: MONTHS + 1 }, (_, index) => {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + index));
    const to = new Date(Math.min(end.getTime(), Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)));
    return { from, to, firstId: firstIdOf(index), isKept: to.getTime() > now.getTime() - KEPT_MS };
  }).filter(({ from, to }) => from < to);
  const totals = { kept: operations, older: Math.max(0, entries - operations) };
  return months.map((month) => {
    const alike = months.filter(({ isKept }) => isKept === month.isKept);
    const all = alike.reduce((sum, one) => sum + lengthOf(one), 0);
    const total = month.isKept ? totals.kept : totals.older;
    return { ...month, count: Math.round((total * lengthOf(month)) / all) };
  });
}

/** The last day, which both databases have, after `months`. */
export function lastDay(now: Date, months: readonly Stretch[], count: number): Stretch {
  const last = months.at(-1);
  const from = beginningOfToday(now);
  const isSameMonth = last?.from.getUTCMonth() === from.getUTCMonth();
  const firstId = isSameMonth && last ? last.firstId + BigInt(last.count) : firstIdOf(MONTHS);
  return { from, to: new Date(now.getTime() - HOUR_MS), firstId, count, isKept: true };
}

/** The stretches of a one-day-old system: the last day, and some retired keys to replay. */
export function freshStretches(now: Date, lastDayCount: number): Stretch[] {
  const [from, to] = [500, 450].map((days) => new Date(now.getTime() - days * 24 * HOUR_MS));
  const retired = from && to ? [{ from, to, firstId: 1n << 20n, count: RETIRED, isKept: false }] : [];
  return [...retired, { ...lastDay(now, [], lastDayCount), firstId: 2n << 20n }];
}

function firstIdOf(month: number): bigint {
  return BigInt(month + 1) << NUMBERS_A_MONTH;
}

function beginningOfToday(now: Date): Date {
  return new Date(now.getTime() - 24 * HOUR_MS);
}

function lengthOf({ from, to }: { readonly from: Date; readonly to: Date }): number {
  return to.getTime() - from.getTime();
}
