import { FOUND_BY_MEANING } from '../../../../ranking/weights.ts';
import { DEAD } from '../documents/observation-code.ts';
import { nthHighest } from '../documents/order.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import type { SimilarityOf } from '../vectors/vector-table.ts';
import type { ObservationFilter } from './observation-filter.ts';

const COLLECTED = 4 * FOUND_BY_MEANING;

export function findByMeaning(
  { observations: table, buffers }: MemoryIndexView,
  { codes: passing, passes }: ObservationFilter,
  similarityOf: SimilarityOf,
  least: number,
): number[] {
  const codes = table.codes.values;
  const similarities = buffers.floats(COLLECTED);
  let found: number[] = [];
  let floor = least;
  const keepBest = () => {
    const own = similarities.slice(0, found.length);
    floor = Math.max(floor, nthHighest(own, FOUND_BY_MEANING));
    found = found.filter((_, at) => (own[at] ?? 0) >= floor);
    for (const [at, number] of found.entries()) similarities[at] = similarityOf(number) ?? 0;
  };
  for (let number = 0; number < table.size; number += 1) {
    if (passing[codes[number] ?? DEAD] !== 1) continue;
    const similarity = similarityOf(number);
    if (similarity === undefined || similarity < floor || !passes(number)) continue;
    similarities[found.length] = similarity;
    found.push(number);
    if (found.length === COLLECTED) keepBest();
  }
  keepBest();
  return found;
}
