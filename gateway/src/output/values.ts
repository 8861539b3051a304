import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { dateOf } from '@ces/chassis/instant';

/** A message field that the contract between services promises; its absence is a fault of the service that answered. */
export function requireValue<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the answer of a service lacks ${name}`);
  return value;
}

/** `YYYY-MM-DDTHH:MM:SS.sssZ`, digits beyond the millisecond cut. */
export function formatInstant(value: Timestamp | undefined, name: string): string {
  return dateOf(requireValue(value, name)).toISOString();
}

export function formatInstantOrNull(value: Timestamp | undefined): string | null {
  return value ? dateOf(value).toISOString() : null;
}
