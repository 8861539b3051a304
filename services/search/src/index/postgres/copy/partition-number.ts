/** Partition of undated observations and profiles. */
export const UNDATED_PARTITION = -1;

/** Encodes a partition so that numbers compare like dates. */
export function partitionNumber(day: string): number {
  if (day === '-infinity') return UNDATED_PARTITION;
  if (day === 'infinity') return 100_000_000;
  return Number(day.replaceAll('-', ''));
}
