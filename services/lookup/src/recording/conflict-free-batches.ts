/** What decides which records of a call may be written together. */
export interface ConflictRule<T> {
  /** Records that share one of these are always written one after another. */
  readonly conflictKeysOf: (record: T) => readonly string[];
  /** Records that share this one are, too, unless `areDistinct` holds of them; undefined: it is compared with no other. */
  readonly topicOf: (record: T) => string | undefined;
  readonly areDistinct: (one: T, other: T) => boolean;
}

const SAME_SOURCE_KEY: ConflictRule<{ readonly key: string }> = {
  conflictKeysOf: (record) => [record.key],
  topicOf: () => undefined,
  areDistinct: () => true,
};

/**
 * Splits records so that no batch holds two that conflict, and each record comes after those before it that it shares a
 * conflict key or topic with, in a later batch or further back in the same one. Writing batch after batch, each in its
 * order, is then the same as writing one record at a time.
 */
export function splitIntoConflictFreeBatches<T extends { readonly key: string }>(
  records: readonly T[],
  { conflictKeysOf, topicOf, areDistinct }: ConflictRule<T> = SAME_SOURCE_KEY,
): T[][] {
  const batches: T[][] = [];
  const nextBatchOf = new Map<string, number>();
  const newestOf = new Map<string, { readonly batch: number; readonly members: T[] }>();
  for (const record of records) {
    const conflictKeys = conflictKeysOf(record);
    const topic = topicOf(record);
    const newest = topic === undefined ? undefined : newestOf.get(topic);
    const free = newest ? newest.batch + (newest.members.every((one) => areDistinct(one, record)) ? 0 : 1) : 0;
    const batch = Math.max(free, ...conflictKeys.map((conflictKey) => nextBatchOf.get(conflictKey) ?? 0));
    for (const conflictKey of conflictKeys) nextBatchOf.set(conflictKey, batch + 1);
    if (newest?.batch === batch) newest.members.push(record);
    else if (topic !== undefined) newestOf.set(topic, { batch, members: [record] });
    const members = batches[batch] ?? [];
    batches[batch] = members;
    members.push(record);
  }
  return batches;
}
