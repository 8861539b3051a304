import type { Queryable } from '@ces/chassis/postgres/pool';
import {
  eventConflicts,
  eventLinksOf,
  type RecordedEvents,
  type ResolvedRecord,
  readRecordedEvents,
} from '../deduplication/find-duplicates.ts';
import type { BatchResults } from './batch-results.ts';
import { conflictFreeBeginning } from './conflict-free-beginning.ts';
import { linkedGroups } from './linked-groups.ts';
import { writeConflictFreeBatch } from './write-observations.ts';

/** Records of which one may change what another is to become: they are written in their order. */
interface Group {
  readonly records: readonly ResolvedRecord[];
  /** How many are written. */
  readonly written: number;
  /** How many of the others are looked at next. */
  readonly window: number;
}

/**
 * Writes records in as few batches as may be, with the result of writing one at a time: what is written changes what the others of its
 * group are about and nothing else, so they are looked at again. At first all are, then twice as many as were written, so that looks
 * grow with the records. Returns the observations that readers see changed.
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
  return groups.map((group) => conflictFreeBeginning(nextOf(group), rule));
}

function nextOf({ records, written, window }: Group): readonly ResolvedRecord[] {
  return records.slice(written, written + window);
}

/** The group once `count` more are written; none when those were the last. */
function after({ records, written }: Group, count: number): Group[] {
  return written + count < records.length ? [{ records, written: written + count, window: 2 * count }] : [];
}
