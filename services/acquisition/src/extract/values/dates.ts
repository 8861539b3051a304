import { DateTime } from 'luxon';
import { refuse } from '../../connector/refuse.ts';

/** Of North American publishers, including posts abroad. `ET` follows daylight saving time. */
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
  readonly formats?: readonly string[];
  readonly zone?: string;
}

/** ISO 8601 or one of `formats`, with an optional zone such as `EDT`. Refuses others. */
export function readInstant(field: string, text: string, options: DateOptions = {}): Date {
  return findInstant(text, options) ?? refuse(field, 'is no date');
}

/** Luxon reads times without a date as times of the current day. */
const WITHOUT_DAY = /^(?:T|\d{2}(?!\d{2})|\d{4,6}[.,Z+])/i;
/** The zero date `0000-00-00`, and the year -0001 that PHP makes of it. */
const NO_DAY = /^\s*0000[-/]00[-/]00|(?:^|\s)-0001\b/;

/** Undefined for an absent, unreadable or placeholder date. */
export function findInstant(text: string | undefined, options: DateOptions = {}): Date | undefined {
  const found = findReading(text, options);
  return found && !isPlaceholder(found) ? found.toJSDate() : undefined;
}

/** The text as written, even if it is no date; undefined for a placeholder. */
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

/** Software writes these epochs for unknown dates. A zone shifts them by up to a day. */
const EPOCHS = [0, Date.UTC(1900, 0, 1)];
const DAY_MS = 86_400_000;

/** No event is older than 1900. The smallest and largest dates of software are placeholders. */
function isPlaceholder(at: DateTime): boolean {
  const isEpoch = EPOCHS.some((epoch) => Math.abs(at.toMillis() - epoch) <= DAY_MS);
  return isEpoch || at.year < 1900 || at.year >= 2200;
}

function splitZone(text: string, zone: string): { plain: string; zone: string } {
  const match = /^(.*\d(?:\s?[AP]M)?)\s+(?:\(|[A-Za-z][A-Za-z ]*\()?([A-Z]{2,4})\)?$/i.exec(text);
  const named = ZONES[match?.[2]?.toUpperCase() ?? ''];
  return match?.[1] && named ? { plain: match[1], zone: named } : { plain: text, zone };
}
