import { DEAD } from '../documents/observation-code.ts';
import { newestFirst } from '../documents/order.ts';
import type { Segment } from '../inverted-index/segment.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import { UNDATED_PARTITION } from '../partition-number.ts';
import type { ObservationFilter } from './observation-filter.ts';

/** Newest partitions first: older ones hold only older events, so reading stops early. */
export function newestObservations(
  { observations: table, observationTexts }: Pick<MemoryIndexView, 'observations' | 'observationTexts'>,
  { codes: passing, passes }: ObservationFilter,
  most: number,
): number[] {
  const order = newestFirst(table);
  const [codes, partitions] = [table.codes.values, table.partitions.values];
  const found: number[] = [];
  let last: number | undefined;
  for (const { first, size, newest, oldest } of newestSegmentsFirst(observationTexts.segments)) {
    if (last !== undefined && oldest !== UNDATED_PARTITION && (partitions[last] ?? UNDATED_PARTITION) > newest) break;
    for (let number = first; number < first + size; number += 1) {
      if (passing[codes[number] ?? DEAD] !== 1 || (last !== undefined && order(number, last) > 0)) continue;
      if (!passes(number)) continue;
      found.push(number);
      if (found.length < most * 4) continue;
      found.sort(order).splice(most);
      last = found.at(-1);
    }
    if (found.length < most) continue;
    found.sort(order).splice(most);
    last = found.at(-1);
  }
  return found.sort(order).slice(0, most);
}

/** Undated segments come first, because they hold profiles, which have dates. */
function newestSegmentsFirst(segments: readonly Segment[]): Segment[] {
  const isUndated = ({ oldest }: Segment) => (oldest === UNDATED_PARTITION ? 1 : 0);
  return segments.toSorted((a, b) => isUndated(b) - isUndated(a) || b.newest - a.newest);
}
