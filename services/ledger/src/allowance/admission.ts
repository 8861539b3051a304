import { atLeastZero, HORIZONS, type HorizonName, type Standing, smaller } from './balance-snapshot.ts';
import type { Amount } from './units.ts';

export const LIMITED_UNITS = ['request', 'delivered'] as const;
export type LimitedUnit = (typeof LIMITED_UNITS)[number];

/** One limit that a call would overstep. */
export interface Shortfall {
  readonly horizon: HorizonName;
  readonly unit: LimitedUnit;
  readonly limit: bigint;
  readonly asked: bigint;
  /** What the limit leaves now, at least 0. */
  readonly left: bigint;
  /** Settled units that must leave the horizon before the call fits beside no holds at all; above `limit`: never. */
  readonly mustLeave: bigint;
  /** True while holds take part of the limit, so that nobody knows when it is free. */
  readonly blockedByHolds: boolean;
}

/** Every limit that `asked` would overstep now; none: admitted. Asking nothing of a unit never oversteps its limit. */
export function shortfalls(standing: Standing, asked: Amount): readonly Shortfall[] {
  return HORIZONS.flatMap((horizon) =>
    LIMITED_UNITS.flatMap((unit) => {
      const { limit, settled, held } = numbersOf(standing, horizon, unit);
      const wanted = unit === 'request' ? asked.requestUnits : asked.deliveredUnits;
      if (wanted === 0n || settled + held + wanted <= limit) return [];
      return {
        horizon,
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
export function admissibleDeliveredUnits(standing: Standing, missing: readonly Shortfall[]): bigint {
  if (missing.some(({ unit }) => unit === 'request')) return 0n;
  return HORIZONS.map((horizon) => numbersOf(standing, horizon, 'delivered'))
    .map(({ limit, settled, held }) => atLeastZero(limit - settled - held))
    .reduce(smaller);
}

function numbersOf(standing: Standing, name: HorizonName, unit: LimitedUnit) {
  const { limit, settled } = standing.horizons[name];
  const { held } = standing;
  return unit === 'request'
    ? { limit: limit.requestUnits, settled: settled.requestUnits, held: held.requestUnits }
    : { limit: limit.deliveredUnits, settled: settled.deliveredUnits, held: held.deliveredUnits };
}
