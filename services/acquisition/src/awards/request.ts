import { DateTime } from 'luxon';
import type { TenderClosing } from '../tender/closing.ts';

/** Programs are open for less; what names a later day is open until further notice. */
const MOST_YEARS_OPEN = 10;

/** Both sides of money that is offered for work: what the buyer asks for is an application. */
export const WHY_APPLICATIONS_MATTER =
  'An agency offers money for this work and asks for applications, so those who can do it may apply before it closes.';

/** A closing that may be one: not before the request was posted, and not decades after it. */
export function believableClosing(closing: TenderClosing | undefined, posted: Date): TenderClosing | undefined {
  const latest = DateTime.fromJSDate(posted).plus({ years: MOST_YEARS_OPEN }).toJSDate();
  return closing && closing.at >= posted && closing.at <= latest ? closing : undefined;
}
