import { DateTime } from 'luxon';
import { findInstant, knownDate } from '../extract/dates.ts';

/** When bids close; `day` is the day as the source writes it, where it is. */
export interface TenderClosing {
  readonly at: Date;
  readonly day: string;
}

/**
 * A closing date as sources write it; without an offset it is wall-clock time in `zone`. A day without a time, or with a
 * time in a zone that is not known, is open until that day ends. Undefined when the text begins with no date, or with a placeholder.
 */
export function findClosing(text: string | undefined, zone: string): TenderClosing | undefined {
  const day = /^\s*(\d{4}-\d{2}-\d{2})/.exec(text ?? '')?.[1];
  if (day === undefined || knownDate(day) === undefined) return undefined;
  const timed = text?.trim() === day ? undefined : findInstant(text, { zone });
  const ends = DateTime.fromISO(day, { zone }).plus({ days: 1 });
  if (!timed && !ends.isValid) return undefined;
  return { at: timed ?? ends.toJSDate(), day };
}

/** The earlier of two closings. */
export function earlier(one: TenderClosing | undefined, other: TenderClosing | undefined): TenderClosing | undefined {
  if (!one || !other) return one ?? other;
  return one.at <= other.at ? one : other;
}

/** Bids are taken for less; what names a later day is open until further notice. */
const MOST_YEARS_OPEN = 5;

/** A closing that may be one: not before the notice was published (`publishedAt`), and not decades after it. */
export function believable(closing: TenderClosing | undefined, publishedAt: Date): TenderClosing | undefined {
  const latest = DateTime.fromJSDate(publishedAt).plus({ years: MOST_YEARS_OPEN }).toJSDate();
  return closing && closing.at >= publishedAt && closing.at <= latest ? closing : undefined;
}
