import type { GrowableArray } from './growable-array.ts';

export interface DatedColumns {
  readonly occurredAt: GrowableArray<Float64Array>;
  readonly ids: GrowableArray<Float64Array>;
}

/** Undated ones last; ids break ties. */
export function newestFirst({ occurredAt, ids }: DatedColumns): (a: number, b: number) => number {
  const [instants, idOf] = [occurredAt.values, ids.values];
  return (a, b) => {
    const byTime = compareInstants(instants[a] ?? Number.NaN, instants[b] ?? Number.NaN);
    return byTime || (idOf[a] ?? 0) - (idOf[b] ?? 0);
  };
}

export function compareInstants(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  if (Number.isNaN(b)) return -1;
  return b - a;
}

/** The `most`-th highest value, so that only values from it on need sorting; −∞ if all do. */
export function nthHighest(values: Float64Array, most: number): number {
  if (values.length <= most) return Number.NEGATIVE_INFINITY;
  /* The min-heap of the highest values rejects most others with one comparison. */
  const heap = values.slice(0, most).sort();
  for (let at = most; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    if (value > (heap[0] ?? 0)) replaceTop(heap, value);
  }
  return heap[0] ?? Number.NEGATIVE_INFINITY;
}

function replaceTop(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const lesser = right < heap.length && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left;
    if ((heap[lesser] ?? 0) >= value) break;
    heap[at] = heap[lesser] ?? 0;
    at = lesser;
  }
  heap[at] = value;
}
