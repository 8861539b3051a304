import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { invalid } from './input.ts';

/** Throws INVALID_REQUEST outside the years 1 to 9999. */
export function requireMicros({ seconds, nanos }: Timestamp, name: string): bigint {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos > 999_999_999)
    throw invalid(`\`${name}\` must be an instant of the years 1 to 9999.`);
  return seconds * 1_000_000n + BigInt(Math.floor(nanos / 1_000));
}

export function microsToTimestamp(micros: bigint): MessageInitShape<typeof TimestampSchema> {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return { seconds: (micros - rest) / 1_000_000n, nanos: Number(rest) * 1_000 };
}

const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;
