import { type AllowanceInterval, atLeastZero, type BalanceSnapshot, INTERVALS, smaller } from './balance-snapshot.ts';
import type { Amount } from './units.ts';

const LIMITED_UNITS = ['request', 'delivered'] as const;
export type LimitedUnit = (typeof LIMITED_UNITS)[number];

export interface Shortfall {
  readonly interval: AllowanceInterval;
  readonly unit: LimitedUnit;
  readonly limit: bigint;
  readonly asked: bigint;
  readonly left: bigint;
  /** Settled units that must leave, if nothing is held. */
  readonly mustLeave: bigint;
  /** The end of holds is unknown, so `retry_at` is an estimate. */
  readonly blockedByHolds: boolean;
}

/** Exceeded limits; an empty list admits. Asking for 0 of a unit never exceeds its limit. */
export function shortfalls(balance: BalanceSnapshot, asked: Amount): readonly Shortfall[] {
  return INTERVALS.flatMap((interval) =>
    LIMITED_UNITS.flatMap((unit) => {
      const { limit, settled, held } = numbersOf(balance, interval, unit);
      const wanted = unit === 'request' ? asked.requestUnits : asked.deliveredUnits;
      if (wanted === 0n || settled + held + wanted <= limit) return [];
      return {
        interval,
        unit,
        limit,
        asked: wanted,
        left: atLeastZero(limit - settled - held),
        mustLeave: settled + wanted - limit,
        blockedByHolds: held > 0n,
      };
    }),
  );
}

export function isEverAdmissible(missing: readonly Shortfall[]): boolean {
  return missing.every(({ asked, limit }) => asked <= limit);
}

/** Most units with which a refused call would pass; 0 if a limit of request units refuses it. */
export function admissibleDeliveredUnits(balance: BalanceSnapshot, missing: readonly Shortfall[]): bigint {
  if (missing.some(({ unit }) => unit === 'request')) return 0n;
  return INTERVALS.map((interval) => numbersOf(balance, interval, 'delivered'))
    .map(({ limit, settled, held }) => atLeastZero(limit - settled - held))
    .reduce(smaller);
}

function numbersOf(balance: BalanceSnapshot, name: AllowanceInterval, unit: LimitedUnit) {
  const { limit, settled } = balance.intervals[name];
  const { held } = balance;
  return unit === 'request'
    ? { limit: limit.requestUnits, settled: settled.requestUnits, held: held.requestUnits }
    : { limit: limit.deliveredUnits, settled: settled.deliveredUnits, held: held.deliveredUnits };
}
