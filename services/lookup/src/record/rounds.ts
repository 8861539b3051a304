/**
 * Splits a batch so that no round holds two records with a common key, and each record comes in a later round than those
 * before it that share one. Writing round after round is then the same as writing one record at a time.
 */
export function inRounds<T extends { readonly key: string }>(
  records: readonly T[],
  keysOf: (record: T) => readonly string[] = (record) => [record.key],
): T[][] {
  const rounds: T[][] = [];
  const nextRound = new Map<string, number>();
  for (const record of records) {
    const keys = keysOf(record);
    const round = Math.max(0, ...keys.map((key) => nextRound.get(key) ?? 0));
    for (const key of keys) nextRound.set(key, round + 1);
    let members = rounds[round];
    if (!members) {
      members = [];
      rounds.push(members);
    }
    members.push(record);
  }
  return rounds;
}
