import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt';

const MICROS_PER_SECOND = 1_000_000n;

function instantText(timestamp: Timestamp): string {
  const whole = new Date(Number(timestamp.seconds) * 1000).toISOString().replace(/\.\d+Z$/, '');
  return `${whole.replace(/^\+/, '')}.${String(Math.floor(timestamp.nanos / 1000)).padStart(6, '0')}Z`;
}

export function optionalInstantText(timestamp: Timestamp | undefined): string | null {
  return timestamp ? instantText(timestamp) : null;
}

export function instantFromMicros(micros: bigint): Timestamp {
  const seconds = micros / MICROS_PER_SECOND - (micros % MICROS_PER_SECOND < 0n ? 1n : 0n);
  return { ...timestampFromMs(0), seconds, nanos: Number(micros - seconds * MICROS_PER_SECOND) * 1000 };
}

/** Microseconds since 1970, exact until 2255. */
export function microsOf(instant: Timestamp): number {
  return Number(instant.seconds) * 1_000_000 + Math.floor(instant.nanos / 1000);
}

export function exactMicrosOf({ seconds, nanos }: Timestamp): bigint {
  return seconds * MICROS_PER_SECOND + BigInt(Math.floor(nanos / 1000));
}
