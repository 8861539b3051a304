import { DateTime } from 'luxon';
import { refuse } from '../sources/refuse.ts';

/** Zones by the names that North American publishers write, for posts abroad too; `ET` is the time in force on the day. */
const ZONES: Readonly<Record<string, string>> = {
  NST: 'utc-03:30',
  NDT: 'utc-02:30',
  AT: 'America/Halifax',
  AST: 'utc-04:00',
  ADT: 'utc-03:00',
  ET: 'America/New_York',
  EST: 'utc-05:00',
  EDT: 'utc-04:00',
  CT: 'America/Chicago',
  CST: 'utc-06:00',
  CDT: 'utc-05:00',
  MT: 'America/Denver',
  MST: 'utc-07:00',
  MDT: 'utc-06:00',
  PT: 'America/Los_Angeles',
  PST: 'utc-08:00',
  PDT: 'utc-07:00',
  AKST: 'utc-09:00',
  AKDT: 'utc-08:00',
  HST: 'utc-10:00',
  CET: 'utc+01:00',
  CEST: 'utc+02:00',
  UT: 'utc',
  UTC: 'utc',
  GMT: 'utc',
  Z: 'utc',
};

export interface DateOptions {
  /** Luxon formats that are tried after ISO 8601, such as `MM/dd/yyyy`. */
  readonly formats?: readonly string[];
  /** Zone of texts that name none; default UTC. `America/Toronto` and the like. */
  readonly zone?: string;
}

/** The instant a text names: ISO 8601 or one of `formats`; `EDT` and the like at the end count. Refuses by the field. */
export function readInstant(field: string, text: string, options: DateOptions = {}): Date {
  return findInstant(text, options) ?? refuse(field, 'is no date');
}

/** ISO 8601 has times alone too; they would be read as times of the day on which they are read. */
const WITHOUT_DAY = /^(?:T|\d{2}(?!\d{2})|\d{4,6}[.,Z+])/i;
/** Days of no month, and the year that PHP makes of them. */
const NO_DAY = /^\s*0000[-/]00[-/]00|(?:^|\s)-0001\b/;

/** As `readInstant`; undefined when the text is absent, none, or a placeholder. */
export function findInstant(text: string | undefined, options: DateOptions = {}): Date | undefined {
  const found = findReading(text, options);
  return found && !isPlaceholder(found) ? found.toJSDate() : undefined;
}

/** A date as it is written, or what stands in its place; undefined for a placeholder, which means that no date is known. */
export function knownDate(text: string | undefined, options: DateOptions = {}): string | undefined {
  const found = findReading(text, options);
  return (found && isPlaceholder(found)) || NO_DAY.test(text ?? '') ? undefined : text;
}

function findReading(text: string | undefined, options: DateOptions): DateTime | undefined {
  if (text === undefined) return undefined;
  const { plain, zone } = splitZone(text.trim(), options.zone ?? 'utc');
  const iso = plain.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T');
  const asIso = DateTime.fromISO(iso, { zone });
  if (asIso.isValid && !WITHOUT_DAY.test(iso)) return asIso;
  for (const format of options.formats ?? []) {
    const reading = DateTime.fromFormat(plain, format, { zone, locale: 'en-US' });
    if (reading.isValid) return reading;
  }
  return undefined;
}

/** Days that software writes where it knows none: the epochs of Unix and of spreadsheets, as UTC or as the time of some place. */
const EPOCHS = [0, Date.UTC(1900, 0, 1)];
const DAY_MS = 86_400_000;

/** Beside the epochs, the least and the greatest day that software can write: nothing that is recorded happened before 1900. */
function isPlaceholder(at: DateTime): boolean {
  const isEpoch = EPOCHS.some((epoch) => Math.abs(at.toMillis() - epoch) <= DAY_MS);
  return isEpoch || at.year < 1900 || at.year >= 2200;
}

/** `2014-04-15 14:00 Eastern Daylight Time (EDT)` is a time and an offset. */
function splitZone(text: string, zone: string): { plain: string; zone: string } {
  const match = /^(.*\d(?:\s?[AP]M)?)\s+(?:\(|[A-Za-z][A-Za-z ]*\()?([A-Z]{2,4})\)?$/i.exec(text);
  const named = ZONES[match?.[2]?.toUpperCase() ?? ''];
  return match?.[1] && named ? { plain: match[1], zone: named } : { plain: text, zone };
}
