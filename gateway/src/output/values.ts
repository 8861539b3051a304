import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';

/** A message field that the contract between services promises; its absence is a fault of the service that answered. */
export function requireValue<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the answer of a service lacks ${name}`);
  return value;
}

/** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function formatInstant(value: Timestamp | undefined, name: string): string {
  return timestampDate(requireValue(value, name)).toISOString();
}

export function formatInstantOrNull(value: Timestamp | undefined): string | null {
  return value ? timestampDate(value).toISOString() : null;
}
