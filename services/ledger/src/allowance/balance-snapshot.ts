import { type Amount, heldUnits, negative, plus, type Units } from './units.ts';

export const HORIZONS = ['window', 'week', 'period'] as const;
export type HorizonName = (typeof HORIZONS)[number];

/** What counts in one horizon at the instant of a standing. */
export interface Horizon {
  readonly limit: Amount;
  readonly settled: Units;
  /** Length in seconds; 0 for the period, which ends by the calendar. */
  readonly seconds: bigint;
  /** Seconds until the oldest counted request leaves, rounded up; 0 when none is counted. */
  readonly resetSeconds: bigint;
}

/** Where a subscription stands at one instant. */
export interface Standing {
  readonly horizons: Readonly<Record<HorizonName, Horizon>>;
  readonly held: Units;
}

/** What is left, in request units (interface, Allowance). */
export interface Allowance {
  readonly windowSeconds: bigint;
  readonly windowRemaining: bigint;
  readonly weeklyRemaining: bigint;
  readonly windowLimit: bigint;
  readonly weeklyLimit: bigint;
  readonly windowResetSeconds: bigint;
  readonly weeklyResetSeconds: bigint;
}

/** Limit minus settled minus reserved, capped by what the period leaves, never below 0 (decisions.md, Allowance). */
export function allowanceOf(standing: Standing): Allowance {
  const { window, week, period } = standing.horizons;
  const left = ({ limit, settled }: Horizon) => limit.requestUnits - settled.requestUnits - standing.held.requestUnits;
  const remaining = (horizon: Horizon) => atLeastZero(smaller(left(horizon), left(period)));
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

export function withHeld(standing: Standing, amount: Amount): Standing {
  return { ...standing, held: plus(standing.held, heldUnits(amount)) };
}

export function withoutHeld(standing: Standing, amount: Amount): Standing {
  return { ...standing, held: plus(standing.held, negative(heldUnits(amount))) };
}

export function withSettled(standing: Standing, units: Units): Standing {
  const { window, week, period } = standing.horizons;
  const settle = (horizon: Horizon): Horizon => ({
    ...horizon,
    settled: plus(horizon.settled, units),
    resetSeconds: horizon.resetSeconds || (units.requestUnits > 0n ? horizon.seconds : 0n),
  });
  return { ...standing, horizons: { window: settle(window), week: settle(week), period: settle(period) } };
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function atLeastZero(value: bigint): bigint {
  return value > 0n ? value : 0n;
}
