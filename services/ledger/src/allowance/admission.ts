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
  /** The call fits after this many settled units have left the interval, if nothing is held. */
  readonly mustLeave: bigint;
  /** True while holds use part of the limit. Their end is unknown, so `retry_at` is an estimate. */
  readonly blockedByHolds: boolean;
}

/**
 * Returns every limit that `asked` would exceed now; an empty list admits the call. Asking for 0 of
 * a unit never exceeds its limit.
 */
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

/**
 * Returns the most delivered units with which a refused call would be admitted now. It is 0 if a
 * limit of request units refuses the call.
 */
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
