/**
 * Splits a batch so that no round holds a key twice: the first record of each key, then the second of each, and so on.
 * Writing round after round is then the same as writing one record at a time.
 */
export function inRounds<T extends { readonly key: string }>(records: readonly T[]): T[][] {
  const rounds: T[][] = [];
  const seen = new Map<string, number>();
  for (const record of records) {
    const round = seen.get(record.key) ?? 0;
    seen.set(record.key, round + 1);
    let members = rounds[round];
    if (!members) {
      members = [];
      rounds.push(members);
    }
    members.push(record);
  }
  return rounds;
}
