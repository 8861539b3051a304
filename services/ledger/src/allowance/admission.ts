import { type AllowanceInterval, atLeastZero, type BalanceSnapshot, INTERVALS, smaller } from './balance-snapshot.ts';
import type { Amount } from './units.ts';

const LIMITED_UNITS = ['request', 'delivered'] as const;
export type LimitedUnit = (typeof LIMITED_UNITS)[number];

/** One limit that a call would overstep. */
export interface Shortfall {
  readonly interval: AllowanceInterval;
  readonly unit: LimitedUnit;
  readonly limit: bigint;
  readonly asked: bigint;
  /** What the limit leaves now, at least 0. */
  readonly left: bigint;
  /** Settled units that must leave the interval before the call fits beside no holds at all; above `limit`: never. */
  readonly mustLeave: bigint;
  /** True while holds take part of the limit, so that it is not known when it is free. */
  readonly blockedByHolds: boolean;
}

/** Every limit that `asked` would overstep now; none: admitted. Asking nothing of a unit never oversteps its limit. */
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

/** Whether the call could be admitted at some time under the present limits. */
export function isEverAdmissible(missing: readonly Shortfall[]): boolean {
  return missing.every(({ asked, limit }) => asked <= limit);
}

/** The largest number of delivered units with which a refused call would be admitted now; 0: none. */
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
