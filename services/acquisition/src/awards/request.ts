import { DateTime } from 'luxon';
import type { TenderClosing } from '../tender/closing.ts';

/**
 * Most years between posting and closing. A later date means that the program is open until further
 * notice.
 */
const MOST_YEARS_OPEN = 10;

export const WHY_APPLICATIONS_MATTER =
  'An agency offers money for this work and asks for applications, so those who can do it may apply before it closes.';

/**
 * Returns undefined for a closing before the posting or more than `MOST_YEARS_OPEN` years later.
 */
export function plausibleClosing(closing: TenderClosing | undefined, posted: Date): TenderClosing | undefined {
  const latest = DateTime.fromJSDate(posted).plus({ years: MOST_YEARS_OPEN }).toJSDate();
  return closing && closing.at >= posted && closing.at <= latest ? closing : undefined;
}
