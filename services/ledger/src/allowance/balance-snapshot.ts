import { type Amount, heldUnits, negative, plus, type Units } from './units.ts';

export const INTERVALS = ['window', 'week', 'period'] as const;
export type AllowanceInterval = (typeof INTERVALS)[number];

export interface IntervalBalance {
  readonly limit: Amount;
  readonly settled: Units;
  /** Length in seconds; 0 for the period, which ends by the calendar. */
  readonly seconds: bigint;
  readonly resetSeconds: bigint;
}

export interface BalanceSnapshot {
  readonly intervals: Readonly<Record<AllowanceInterval, IntervalBalance>>;
  readonly held: Units;
}

/** All counts are in request units (gateway/docs/contract.md, Allowance). */
export interface Allowance {
  readonly windowSeconds: bigint;
  readonly windowRemaining: bigint;
  readonly weeklyRemaining: bigint;
  readonly windowLimit: bigint;
  readonly weeklyLimit: bigint;
  readonly windowResetSeconds: bigint;
  readonly weeklyResetSeconds: bigint;
}

/** Limit minus settled minus held, at most what the period leaves, at least 0. */
export function allowanceOf(balance: BalanceSnapshot): Allowance {
  const { window, week, period } = balance.intervals;
  const left = ({ limit, settled }: IntervalBalance) =>
    limit.requestUnits - settled.requestUnits - balance.held.requestUnits;
  const remaining = (interval: IntervalBalance) => atLeastZero(smaller(left(interval), left(period)));
  return {
    windowSeconds: window.seconds,
    windowRemaining: remaining(window),
    weeklyRemaining: remaining(week),
    windowLimit: window.limit.requestUnits,
    weeklyLimit: week.limit.requestUnits,
    windowResetSeconds: window.resetSeconds,
    weeklyResetSeconds: week.resetSeconds,
  };
}

export function withHeld(balance: BalanceSnapshot, amount: Amount): BalanceSnapshot {
  return { ...balance, held: plus(balance.held, heldUnits(amount)) };
}

export function withoutHeld(balance: BalanceSnapshot, amount: Amount): BalanceSnapshot {
  return { ...balance, held: plus(balance.held, negative(heldUnits(amount))) };
}

export function withSettled(balance: BalanceSnapshot, units: Units): BalanceSnapshot {
  const { window, week, period } = balance.intervals;
  const settle = (interval: IntervalBalance): IntervalBalance => ({
    ...interval,
    settled: plus(interval.settled, units),
    resetSeconds: interval.resetSeconds || (units.requestUnits > 0n ? interval.seconds : 0n),
  });
  return { ...balance, intervals: { window: settle(window), week: settle(week), period: settle(period) } };
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
