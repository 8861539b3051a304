export const UNDATED_PARTITION = -1;

export function partitionNumber(day: string): number {
  if (day === '-infinity') return UNDATED_PARTITION;
  if (day === 'infinity') return 100_000_000;
  return Number(day.replaceAll('-', ''));
}

/** Empty for a partition without a day. */
export function dayOfPartition(partition: number): string {
  const digits = String(partition);
  return /^\d{8}$/.test(digits) ? `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}` : '';
}
