import type { Timestamp } from '@bufbuild/protobuf/wkt';

/**
 * The millisecond that an instant lies in. Digits beyond it are cut: rounded, the last of year 9999 would be in a year that RFC 3339 cannot
 * write, and an instant could be later than what was meant.
 */
export function dateOf({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000));
}
