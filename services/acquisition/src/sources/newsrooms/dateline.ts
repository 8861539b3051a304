import { DateTime } from 'luxon';

/** Where a release says that it was written: the place may be missing, the date may. */
export interface Dateline {
  readonly place: string | undefined;
  readonly date: Date | undefined;
}

/** A dateline stands within so many characters of the beginning of a text. */
const MOST_CHARACTERS = 300;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** `TORONTO, Nov. 3, 2026 /CNW/ —`, `BOISE, Idaho – November 3, 2026 –`, `(NewMediaWire) - November 03, 2026 - DALLAS —`. */
const DATED =
  /\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(20\d{2})\b/i;
const ENDED = / ?(?:\/[^/\n]{2,30}\/ ?|\([^()\n]{2,40}\) ?)?(?:--|[–—-])/y;

/** The dateline at the beginning of a text; undefined: it begins with none. */
export function findDateline(text: string): Dateline | undefined {
  const head = text.slice(0, MOST_CHARACTERS).split('\n', 3).join(' ');
  const dated = DATED.exec(head);
  if (!dated || /[.!?]\s+\p{Lu}\p{Ll}+\s+\p{Ll}+\s/u.test(head.slice(0, dated.index))) return undefined;
  ENDED.lastIndex = dated.index + dated[0].length;
  if (!ENDED.test(head)) return undefined;
  const place = head
    .slice(0, dated.index)
    .replace(/\([^()]{0,40}\)/g, ' ')
    .replace(/(?<![\s,–—-])[\s,–—-]+$/, '')
    .trim();
  const [, month = '', day = '', year = ''] = dated;
  return { place: place === '' ? undefined : place, date: dateOf(month, day, year) };
}

/** The beginning of that day, UTC. */
function dateOf(month: string, day: string, year: string): Date | undefined {
  const at = DateTime.utc(Number(year), MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1, Number(day));
  return at.isValid ? at.toJSDate() : undefined;
}
