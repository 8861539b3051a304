/** The partition of what has no date, and of profiles. */
export const UNDATED_PARTITION = -1;

/** A partition as a number that compares as its day does. */
export function partitionNumber(day: string): number {
  if (day === '-infinity') return UNDATED_PARTITION;
  if (day === 'infinity') return 100_000_000;
  return Number(day.replaceAll('-', ''));
}
