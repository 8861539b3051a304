import { DateTime } from 'luxon';
import { findInstant, knownDate } from '../../../extract/values/dates.ts';

/** `day` is in the source's local time. */
export interface TenderClosing {
  readonly at: Date;
  readonly day: string;
}

/**
 * A time without an offset is in `zone`. A day without a time, or with an unknown zone, closes when
 * it ends. Undefined for other texts and placeholders.
 */
export function findClosing(text: string | undefined, zone: string): TenderClosing | undefined {
  const day = /^\s*(\d{4}-\d{2}-\d{2})/.exec(text ?? '')?.[1];
  if (day === undefined || knownDate(day) === undefined) return undefined;
  const timed = text?.trim() === day ? undefined : findInstant(text, { zone });
  const ends = DateTime.fromISO(day, { zone }).plus({ days: 1 });
  if (!timed && !ends.isValid) return undefined;
  return { at: timed ?? ends.toJSDate(), day };
}

export function earlier(one: TenderClosing | undefined, other: TenderClosing | undefined): TenderClosing | undefined {
  if (!one || !other) return one ?? other;
  return one.at <= other.at ? one : other;
}

/** A later date means open until further notice. */
const MOST_YEARS_OPEN = 5;

export function ifPlausible(
  closing: TenderClosing | undefined,
  publishedAt: Date,
  mostYears = MOST_YEARS_OPEN,
): TenderClosing | undefined {
  const latest = DateTime.fromJSDate(publishedAt).plus({ years: mostYears }).toJSDate();
  return closing && closing.at >= publishedAt && closing.at <= latest ? closing : undefined;
}

const STAYS_OPEN = /supply schedules?\b|multiple[ -]award schedule|\bfss\b|\bschedule \d{2,3}\b|open season|on-?ramp/i;

export function staysOpen(...about: readonly (string | undefined)[]): boolean {
  return about.some((text) => text !== undefined && STAYS_OPEN.test(text));
}

export const NAMES_NO_REQUEST = 'the award names no number of one request';
export const SCHEDULE_STAYS_OPEN = 'the award is made under a schedule that stays open';
