/** What decides which records of a call may be written together. */
export interface ConflictRule<T> {
  /** Records that share one of these are never written together. */
  readonly conflictKeysOf: (record: T) => readonly string[];
  /** Nor are records that share one of these, unless they have a mark in common. */
  readonly topicsOf: (record: T) => readonly string[];
  /** Of few there are: records of a topic with one in common, and without a conflict key in common, are about different things. */
  readonly marksOf: (record: T) => readonly string[];
}

/** The longest beginning of records of which no two conflict; the first record at least. Its work grows with the beginning. */
export function conflictFreeBeginning<T>(records: readonly T[], rule: ConflictRule<T>): readonly T[] {
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
