import { instantFromMicros, microsOf } from '../../../instants.ts';
import type { LiteralHit, LiteralQuery } from '../../../observation-index.ts';
import { DEAD } from '../documents/observation-code.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import type { SearchMoment } from '../search-moment.ts';
import { wordsCondition } from './literal-conditions.ts';
import { createObservationFilter } from './observation-filter.ts';

/** Sorting waits until this many pages are found. */
const PAGES_AT_ONCE = 4;

/** Every word in the text or the company's name, newest observed first, with keyset pagination. */
export function findLiterally(
  view: MemoryIndexView,
  { words, filters, recordedBy, before, limit }: LiteralQuery,
  { partitioning, version: { now } }: SearchMoment,
): LiteralHit[] {
  const { observations: table, companyNumbers, buffers } = view;
  buffers.releaseAll();
  const { codes: passing, passes } = createObservationFilter(
    view,
    filters,
    partitioning,
    now,
    wordsCondition(view, words),
  );
  const [codes, observedAt, recordedAt, ids] = [
    table.codes.values,
    table.observedAt.values,
    table.recordedAt.values,
    table.ids.values,
  ];
  const order = (a: number, b: number) => (observedAt[b] ?? 0) - (observedAt[a] ?? 0) || (ids[b] ?? 0) - (ids[a] ?? 0);
  const recordedUntil = recordedBy ? microsOf(recordedBy) : Number.POSITIVE_INFINITY;
  const follows = afterKey(before, observedAt, ids);
  const found: number[] = [];
  let last: number | undefined;
  for (let number = 0; number < table.size; number += 1) {
    if (passing[codes[number] ?? DEAD] !== 1 || (recordedAt[number] ?? 0) > recordedUntil || !follows(number)) continue;
    if ((last !== undefined && order(number, last) > 0) || !passes(number)) continue;
    found.push(number);
    if (found.length < limit * PAGES_AT_ONCE) continue;
    found.sort(order).splice(limit);
    last = found.at(-1);
  }
  return found
    .sort(order)
    .slice(0, limit)
    .map((number) => ({
      observationId: BigInt(ids[number] ?? 0),
      companyId: BigInt(companyNumbers.ids.values[table.companies.values[number] ?? 0] ?? 0),
      observedAt: instantFromMicros(BigInt(observedAt[number] ?? 0)),
    }));
}

function afterKey(
  before: LiteralQuery['before'],
  observedAt: Float64Array,
  ids: Float64Array,
): (number: number) => boolean {
  if (!before) return () => true;
  const [instant, id] = [microsOf(before.observedAt), Number(before.id)];
  return (number) => {
    const at = observedAt[number] ?? 0;
    return at < instant || (at === instant && (ids[number] ?? 0) < id);
  };
}
