export interface ConflictRule<T> {
  /** Records that share one are never written together. */
  readonly conflictKeysOf: (record: T) => readonly string[];
  /** Records that share a topic are not written together, unless they have a common mark. */
  readonly topicsOf: (record: T) => readonly string[];
  /** A common mark and no common conflict key: different things. Few distinct marks. */
  readonly marksOf: (record: T) => readonly string[];
}

export function conflictFreePrefix<T>(records: readonly T[], rule: ConflictRule<T>): readonly T[] {
  const taken = new Set<string>();
  const marksByTopic = new Map<string, Map<string, readonly string[]>>();
  for (const [index, record] of records.entries()) {
    const keys = rule.conflictKeysOf(record);
    const topics = rule.topicsOf(record);
    const marks = rule.marksOf(record);
    const isApart = (others: readonly string[]) => marks.some((mark) => others.includes(mark));
    if (keys.some((key) => taken.has(key))) return records.slice(0, index);
    if (topics.some((topic) => ![...(marksByTopic.get(topic)?.values() ?? [])].every(isApart)))
      return records.slice(0, index);
    for (const key of keys) taken.add(key);
    for (const topic of topics) {
      const marksOfOthers = marksByTopic.get(topic) ?? new Map<string, readonly string[]>();
      marksByTopic.set(topic, marksOfOthers);
      marksOfOthers.set(marks.toSorted().join(' '), marks);
    }
  }
  return records;
}
