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

/** The same of the millisecond that an instant lies in: what is cut there is no later than what was meant. */
export function formatMillisecond(value: Timestamp | undefined, name: string): string {
  const { seconds, nanos } = requireValue(value, name);
  return new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000)).toISOString();
}

export function formatInstantOrNull(value: Timestamp | undefined): string | null {
  return value ? timestampDate(value).toISOString() : null;
}
