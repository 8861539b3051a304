import { DateTime } from 'luxon';
import { refuse } from '../sources/refuse.ts';

/** Names of zones as North American publishers write them, for posts abroad too. */
const ZONES: Readonly<Record<string, string>> = {
  NST: '-03:30',
  NDT: '-02:30',
  AST: '-04:00',
  ADT: '-03:00',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  AKST: '-09:00',
  AKDT: '-08:00',
  HST: '-10:00',
  CET: '+01:00',
  CEST: '+02:00',
  UTC: '+00:00',
  GMT: '+00:00',
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
const WITHOUT_DAY = /^T?\d{2}:/;

/** As `readInstant`; undefined when the text is absent or none. */
export function findInstant(text: string | undefined, options: DateOptions = {}): Date | undefined {
  if (text === undefined) return undefined;
  const { plain, zone } = splitZone(text.trim(), options.zone ?? 'utc');
  const iso = plain.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T');
  const readings = [
    ...(WITHOUT_DAY.test(iso) ? [] : [DateTime.fromISO(iso, { zone })]),
    ...(options.formats ?? []).map((format) => DateTime.fromFormat(plain, format, { zone, locale: 'en-US' })),
  ];
  const found = readings.find((reading) => reading.isValid && reading.year >= 1900 && reading.year < 2200);
  return found?.toJSDate();
}

/** `2014-04-15 14:00 Eastern Daylight Time (EDT)` is a time and an offset. */
function splitZone(text: string, zone: string): { plain: string; zone: string } {
  const match = /^(.*\d(?:\s?[AP]M)?)\s+(?:\(|[A-Za-z][A-Za-z ]*\()?([A-Z]{3,4})\)?$/i.exec(text);
  const offset = ZONES[match?.[2]?.toUpperCase() ?? ''];
  return match?.[1] && offset ? { plain: match[1], zone: `utc${offset}` } : { plain: text, zone };
}
