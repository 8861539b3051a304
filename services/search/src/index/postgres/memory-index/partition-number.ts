export const UNDATED_PARTITION = -1;

export function partitionNumber(day: string): number {
  if (day === '-infinity') return UNDATED_PARTITION;
  if (day === 'infinity') return 100_000_000;
  return Number(day.replaceAll('-', ''));
}
