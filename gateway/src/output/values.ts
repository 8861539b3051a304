import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { dateOf } from '@ces/chassis/instant';

/** A missing field breaks the RPC contract. */
export function requireValue<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the answer of a service lacks ${name}`);
  return value;
}

/** `YYYY-MM-DDTHH:MM:SS.sssZ`, truncated to milliseconds. */
export function formatInstant(value: Timestamp | undefined, name: string): string {
  return dateOf(requireValue(value, name)).toISOString();
}

export function formatInstantOrNull(value: Timestamp | undefined): string | null {
  return value ? dateOf(value).toISOString() : null;
}
