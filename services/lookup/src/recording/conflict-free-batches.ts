/** What decides which records of a batch may be written together. */
export interface Meeting<T> {
  /** Records that share one of these are always written one after another. */
  readonly keysOf: (record: T) => readonly string[];
  /** Records that share this one are, too, unless `parted` tells them apart; undefined: it is compared with nobody. */
  readonly topicOf: (record: T) => string | undefined;
  readonly parted: (one: T, other: T) => boolean;
}

const BY_KEY: Meeting<{ readonly key: string }> = {
  keysOf: (record) => [record.key],
  topicOf: () => undefined,
  parted: () => true,
};

/**
 * Splits a batch so that no round holds two records that meet, and each record comes after those before it that it has a
 * key or topic in common with, in a later round or further back in the same one. Writing round after round, each in its
 * order, is then the same as writing one record at a time.
 */
export function inRounds<T extends { readonly key: string }>(
  records: readonly T[],
  { keysOf, topicOf, parted }: Meeting<T> = BY_KEY,
): T[][] {
  const rounds: T[][] = [];
  const nextRound = new Map<string, number>();
  const newest = new Map<string, { readonly round: number; readonly members: T[] }>();
  for (const record of records) {
    const keys = keysOf(record);
    const topic = topicOf(record);
    const before = topic === undefined ? undefined : newest.get(topic);
    const free = before ? before.round + (before.members.every((one) => parted(one, record)) ? 0 : 1) : 0;
    const round = Math.max(free, ...keys.map((key) => nextRound.get(key) ?? 0));
    for (const key of keys) nextRound.set(key, round + 1);
    if (before?.round === round) before.members.push(record);
    else if (topic !== undefined) newest.set(topic, { round, members: [record] });
    const members = rounds[round] ?? [];
    rounds[round] = members;
    members.push(record);
  }
  return rounds;
}
