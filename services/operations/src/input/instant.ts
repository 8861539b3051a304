import { create } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { refuse } from './refuse.ts';

/** `YYYY-MM-DDTHH:MM:SS[.f]Z` without trailing zeros, so that equal instants are equal text. */
export type Instant = string;

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/** RFC 3339; refuses anything else, including dates that do not exist. */
export function parseInstant(text: string, field: string, refusal: typeof refuse = refuse): Instant {
  return (
    toInstant(text) ??
    refusal(`\`${field}\` is not a timestamp: send RFC 3339 with an offset or Z, for example 2026-01-31T00:00:00Z.`)
  );
}

/** Undefined if it is no RFC 3339 timestamp of the years 1 to 9999. */
export function toInstant(text: string): Instant | undefined {
  const match = RFC3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const offset = offsetMinutes(match[8], Number(match[9] ?? 0), Number(match[10] ?? 0));
  if (offset === undefined || hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const ms = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000;
  const leapSecond = second === 60;
  if ((leapSecond && ms % 86_400_000 !== 0) || ms < FIRST_MS || ms > LAST_MS) return undefined;
  const fraction = (match[7] ?? '').slice(0, 6).replace(/(?<!0)0+$/, '');
  return `${new Date(ms).toISOString().slice(0, 19)}${fraction && `.${fraction}`}Z`;
}

type Six = [number, number, number, number, number, number];

function offsetMinutes(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

export function instantToTimestamp(instant: Instant): Timestamp {
  const [, fraction = ''] = /\.(\d+)Z$/.exec(instant) ?? [];
  const seconds = Date.parse(`${instant.slice(0, 19)}Z`) / 1000;
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos: Number(fraction.padEnd(9, '0')) });
}
