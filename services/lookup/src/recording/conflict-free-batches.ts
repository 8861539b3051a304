import { groupsOf } from './linked-groups.ts';

/** What decides which records of a call may be written together. */
export interface ConflictRule<T> {
  /** Records that share one of these are never written in one batch. */
  readonly conflictKeysOf: (record: T) => readonly string[];
  /** Nor are records that share this one, unless `areDistinct` holds of them; undefined: it is compared with no other. */
  readonly topicOf: (record: T) => string | undefined;
  readonly areDistinct: (one: T, other: T) => boolean;
  /** What records have in common besides, so that one may change what another is to become. */
  readonly linksOf?: (record: T) => readonly string[];
}

const SAME_SOURCE_KEY: ConflictRule<{ readonly key: string }> = {
  conflictKeysOf: (record) => [record.key],
  topicOf: () => undefined,
  areDistinct: () => true,
};

/** The last batch that has records of a group, and those. */
interface NewestBatch<T> {
  readonly batch: number;
  readonly conflictKeys: Set<string>;
  readonly byTopic: Map<string, T[]>;
}

/**
 * Splits records so that no batch holds two that conflict, and those that share a conflict key, a topic or a link, be it
 * through others, keep their order: each in the batch of the one before it, further back, or in a later batch. Writing batch
 * after batch, each in its order, is then the same as writing one record at a time.
 */
export function splitIntoConflictFreeBatches<T extends { readonly key: string }>(
  records: readonly T[],
  { conflictKeysOf, topicOf, areDistinct, linksOf = () => [] }: ConflictRule<T> = SAME_SOURCE_KEY,
): T[][] {
  const described = records.map((record) => {
    const topic = topicOf(record);
    return {
      record,
      conflictKeys: conflictKeysOf(record),
      topic,
      topics: topic === undefined ? [] : [`topic ${topic}`],
    };
  });
  const groups = groupsOf(
    described.map(({ record, conflictKeys, topics }) => [...conflictKeys, ...topics, ...linksOf(record)]),
  );
  const batches: T[][] = [];
  const newestOf = new Map<number, NewestBatch<T>>();
  for (const [index, { record, conflictKeys, topic }] of described.entries()) {
    const group = groups[index] as number;
    const before = newestOf.get(group);
    const sameTopic = (topic !== undefined && before?.byTopic.get(topic)) || [];
    const conflicts =
      conflictKeys.some((key) => before?.conflictKeys.has(key)) ||
      sameTopic.some((other) => !areDistinct(other, record));
    const newest =
      before && !conflicts
        ? before
        : { batch: (before?.batch ?? -1) + 1, conflictKeys: new Set<string>(), byTopic: new Map<string, T[]>() };
    newestOf.set(group, newest);
    for (const key of conflictKeys) newest.conflictKeys.add(key);
    if (topic !== undefined) {
      const members = newest.byTopic.get(topic) ?? [];
      newest.byTopic.set(topic, members);
      members.push(record);
    }
    const members = batches[newest.batch] ?? [];
    batches[newest.batch] = members;
    members.push(record);
  }
  return batches;
}
