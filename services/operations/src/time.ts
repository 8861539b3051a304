import { create } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { dateOf } from '@ces/chassis/instant';

export function toDate(timestamp: Timestamp | undefined): Date {
  if (!timestamp) throw new Error('an answer lacks an instant');
  return dateOf(timestamp);
}

export function toTimestamp(date: Date): Timestamp {
  return timestampFromDate(date);
}

/** The precision of the record. */
export function toMicros(timestamp: Timestamp | undefined): bigint {
  if (!timestamp) throw new Error('an answer lacks an instant');
  return timestamp.seconds * 1_000_000n + BigInt(Math.floor(timestamp.nanos / 1000));
}

export function microsToTimestamp(micros: bigint): Timestamp {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return create(TimestampSchema, { seconds: (micros - rest) / 1_000_000n, nanos: Number(rest) * 1000 });
}

/** RFC 3339 to the microsecond, as Postgres parses it. */
export function microsToText(micros: bigint): string {
  const rest = ((micros % 1_000n) + 1_000n) % 1_000n;
  return new Date(Number((micros - rest) / 1_000n)).toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`);
}
