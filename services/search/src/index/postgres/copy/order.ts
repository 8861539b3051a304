import type { ObservationTable } from './observation-table.ts';

/** What happened last first, what has no date behind all, equal ones by their ids. */
export function newestFirst({ occurredAt, ids }: ObservationTable): (a: number, b: number) => number {
  const [instants, idOf] = [occurredAt.values, ids.values];
  return (a, b) => {
    const byTime = compareInstants(instants[a] ?? Number.NaN, instants[b] ?? Number.NaN);
    return byTime || (idOf[a] ?? 0) - (idOf[b] ?? 0);
  };
}

/** The later one first, none behind all. */
export function compareInstants(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  if (Number.isNaN(b)) return -1;
  return b - a;
}

/** The value that `most` of the values reach, so that only these need an order; less than all where there are no more. */
export function leastOfHighest(values: Float64Array, most: number): number {
  if (values.length <= most) return Number.NEGATIVE_INFINITY;
  return values.slice().sort()[values.length - most] ?? Number.NEGATIVE_INFINITY;
}
