import type { Timestamp } from '@bufbuild/protobuf/wkt';

/** Rounding could pass the last instant of year 9999, after which RFC 3339 has no dates. */
export function dateOf({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000));
}
