import type { Queryable } from '@ces/chassis/postgres/pool';
import type { BatchResults } from './batch-results.ts';
import { conflictFreePrefix } from './conflict-free-prefix.ts';
import {
  eventConflicts,
  eventLinksOf,
  type RecordedEvents,
  type ResolvedRecord,
  readRecordedEvents,
} from './find-duplicates.ts';
import { writeConflictFreeBatch } from './write-observations.ts';

/** One record may change what another is about, so they are written in order. */
interface Group {
  readonly records: readonly ResolvedRecord[];
  readonly written: number;
  readonly window: number;
}

/**
 * Same result as one at a time. A written record affects only its group, which is examined again;
 * later rounds examine twice as many as were written, so the work stays linear.
 */
export async function writeInOrder(
  client: Queryable,
  source: string,
  records: readonly ResolvedRecord[],
  results: BatchResults,
): Promise<ReadonlySet<bigint>> {
  const changed = new Set<bigint>();
  let recorded = await readRecordedEvents(client, source, records);
  let groups: readonly Group[] = linkedGroups(records, eventLinksOf(recorded)).map((ofGroup) => ({
    records: ofGroup,
    written: 0,
    window: ofGroup.length,
  }));
  while (groups.length > 0) {
    const batches = beginningsOf(groups, recorded);
    const batch = batches.flat().sort((one, other) => one.index - other.index);
    for (const id of await writeConflictFreeBatch(client, source, batch, recorded, results)) changed.add(id);
    groups = groups.flatMap((group, index) => after(group, batches[index]?.length ?? 0));
    recorded = await readRecordedEvents(client, source, groups.flatMap(nextOf));
  }
  return changed;
}

function beginningsOf(groups: readonly Group[], recorded: RecordedEvents): (readonly ResolvedRecord[])[] {
  const rule = eventConflicts(recorded);
  return groups.map((group) => conflictFreePrefix(nextOf(group), rule));
}

function nextOf({ records, written, window }: Group): readonly ResolvedRecord[] {
  return records.slice(written, written + window);
}

function after({ records, written }: Group, count: number): Group[] {
  return written + count < records.length ? [{ records, written: written + count, window: 2 * count }] : [];
}

function linkedGroups<T>(items: readonly T[], linksOf: (item: T) => readonly string[]): T[][] {
  const parents = items.map((_, index) => index);
  const rootOf = (index: number): number => {
    let at = index;
    for (let parent = parents[at] as number; parent !== at; parent = parents[at] as number) {
      parents[at] = parents[parent] as number;
      at = parent;
    }
    return at;
  };
  const firstWith = new Map<string, number>();
  for (const [index, item] of items.entries())
    for (const link of linksOf(item)) {
      const first = firstWith.get(link);
      if (first === undefined) firstWith.set(link, index);
      else parents[rootOf(index)] = rootOf(first);
    }
  return [...Map.groupBy(items.keys(), rootOf).values()].map((indexes) => indexes.map((index) => items[index] as T));
}
