import { LRUCache } from 'lru-cache';
import type { IntervalBalance } from '../allowance/balance-snapshot.ts';
import { NO_UNITS, negative, plus } from '../allowance/units.ts';
import type { SubscriptionSnapshot } from '../db/balance-snapshot.ts';
import { type Micros, toText } from '../db/instant.ts';
import type { CountedEntry, NextEntries, RollingInterval } from '../db/next-entries.ts';
import type { StoredBalance, StoredInterval } from '../db/stored-balance.ts';

const MAX_CACHED = 2_000;
/** Bounds the use of a history if the server was replaced. */
const CACHE_TTL_MS = 300_000;
const SECOND = 1_000_000;
const WEEK_SECONDS = 604_800n;

interface History {
  readonly version: bigint;
  readonly periodAnchor: Micros;
  readonly period: Pick<SubscriptionSnapshot, 'periodStart' | 'periodEnd' | 'periodBounds'>;
  lastAt: Micros;
  readonly next: Record<RollingInterval, Following>;
}

/** All entries after `after`, up to the last in the list. */
interface Following {
  readonly after: Micros;
  readonly entries: readonly CountedEntry[];
}

type Tails = Readonly<Record<RollingInterval, Micros>>;

/**
 * The entries that leave next, so that a balance follows from its row. Appended entries do not
 * affect them; other changes raise the row's history version (decision 0007). Callers hold the
 * subscription's lock.
 */
export class BalanceCache {
  readonly #histories = new LRUCache<bigint, History>({ max: MAX_CACHED, ttl: CACHE_TTL_MS });

  /** Undefined if row and cache do not determine the balance. */
  balanceOf(stored: StoredBalance): SubscriptionSnapshot | undefined {
    const history = this.#histories.get(stored.subscriptionId);
    const snapshot = history && isStillTrue(history, stored) ? derive(history, stored) : undefined;
    if (history && snapshot) history.lastAt = stored.lastAt;
    return snapshot;
  }

  store(stored: StoredBalance, snapshot: SubscriptionSnapshot, next: NextEntries | undefined): void {
    const { subscriptionId, historyVersion, periodAnchor, lastAt } = stored;
    const { periodStart, periodEnd, periodBounds } = snapshot;
    this.#histories.delete(subscriptionId);
    if (!next) return;
    const { window, week } = unknownAfter(stored);
    this.#histories.set(subscriptionId, {
      ...{ version: historyVersion, periodAnchor, lastAt },
      period: { periodStart, periodEnd, periodBounds },
      next: { window: { after: window, entries: next.window }, week: { after: week, entries: next.week } },
    });
  }
}

/** The tails of the counters, or earlier where a rolling interval has grown. */
export function unknownAfter(stored: StoredBalance): Tails {
  const { window, week } = tailsOf(stored);
  const { intervals } = stored;
  return { window: Math.min(window, intervals.window.tail), week: Math.min(week, intervals.week.tail) };
}

function tailsOf(stored: StoredBalance): Tails {
  const now = nowOf(stored);
  return { window: now - Number(stored.windowSeconds) * SECOND, week: now - Number(WEEK_SECONDS) * SECOND };
}

function nowOf({ clock, lastAt }: StoredBalance): Micros {
  return Math.max(clock, lastAt + 1);
}

/** A restored or failed-over server may lack postings that this process has seen. */
function isStillTrue({ version, periodAnchor, lastAt }: History, stored: StoredBalance): boolean {
  return version === stored.historyVersion && periodAnchor === stored.periodAnchor && lastAt <= stored.lastAt;
}

function derive(history: History, stored: StoredBalance): SubscriptionSnapshot | undefined {
  const { period: bounds, next } = history;
  const { clock, windowSeconds, held, intervals, subscriptionId, accountId, plan, status } = stored;
  const now = nowOf(stored);
  const periodTail = bounds.periodBounds.start - 1;
  // A period's entries leave at once, so the database adds up the next one.
  if (now >= bounds.periodBounds.end || intervals.period.tail !== periodTail) return undefined;
  next.window = droppingUpTo(next.window, intervals.window.tail);
  next.week = droppingUpTo(next.week, intervals.week.tail);
  const tails = tailsOf(stored);
  const window = roll(next.window, intervals.window, tails.window, windowSeconds, clock);
  const week = roll(next.week, intervals.week, tails.week, WEEK_SECONDS, clock);
  if (!window || !week) return undefined;
  const period = { limit: intervals.period.limit, settled: intervals.period.units, seconds: 0n, resetSeconds: 0n };
  return {
    ...{ subscriptionId, accountId, plan, status, ...bounds },
    now: toText(now),
    tails: { window: toText(tails.window), week: toText(tails.week), period: toText(periodTail) },
    reversed: { window: NO_UNITS, week: NO_UNITS, period: NO_UNITS },
    balance: { intervals: { window, week, period }, held: { ...held, freshEvidenceUnits: 0n } },
  };
}

/** They had left when the counter was stored. */
function droppingUpTo(following: Following, tail: Micros): Following {
  const { after, entries } = following;
  if (tail <= after) return following;
  const first = entries.findIndex(({ settledAt }) => settledAt > tail);
  return { after: tail, entries: first === -1 ? [] : entries.slice(first) };
}

/** Moves a counter to the interval's start. Undefined if the entries do not cover both. */
function roll(
  { after, entries }: Following,
  { tail: stored, units, limit }: StoredInterval,
  tail: Micros,
  seconds: bigint,
  clock: Micros,
): IntervalBalance | undefined {
  const [low, high] = stored < tail ? [stored, tail] : [tail, stored];
  const oldest = entries.find(({ settledAt, units: { requestUnits } }) => settledAt > tail && requestUnits > 0n);
  const isKnown = after <= low && oldest !== undefined && (entries.at(-1)?.settledAt ?? 0) > high;
  if (!isKnown) return undefined;
  const passed = entries
    .filter(({ settledAt }) => settledAt > low && settledAt <= high)
    .reduce((sum, entry) => plus(sum, entry.units), NO_UNITS);
  const resetSeconds = Math.ceil((oldest.settledAt + Number(seconds) * SECOND - clock) / SECOND);
  return {
    limit,
    settled: plus(units, stored < tail ? negative(passed) : passed),
    seconds,
    resetSeconds: BigInt(resetSeconds),
  };
}
