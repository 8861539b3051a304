import { withContactsMarked } from '@ces/proto/contact-details';
import { foldText } from '@ces/proto/folded-text';
import { withoutNames } from './contact-fields.ts';
import { isObject } from './json.ts';
import { jsonContent } from './members.ts';

/** Levels of any format's records; what lies deeper is not kept. */
const MOST_LEVELS = 100;

/**
 * What is kept of a row or JSON object: as `jsonContent`, without the members in `contactFields`, with `[name]` where a free
 * text has one of `names` and `[contact]` where any text has an e-mail address or a telephone number (decision 0017).
 */
export function keptContent(
  value: unknown,
  contactFields: readonly string[] = [],
  names: readonly string[] = [],
): string {
  // An address often holds the name, and is none any more without it.
  return jsonContent(withoutNames(withoutDetails(value, 0), names), contactFields);
}

function withoutDetails(value: unknown, level: number): unknown {
  if (level > MOST_LEVELS) return undefined;
  if (typeof value === 'string') return isSentence(value) ? withContactsMarked(value) : value;
  if (Array.isArray(value)) return value.map((item) => withoutDetails(item, level + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutDetails(member, level + 1)]));
}

/** One word is the number of a thing, unless it has a sign of an address, of a call or of a code of an area. */
function isSentence(text: string): boolean {
  return /[\s@]|\(\d{3}\)|^\+\d|(?:^|\W)(?:tel|sms|callto|fax):|wa\.me\/|_at_|["'*|#]at["'*|#]/i.test(
    foldText(text).text,
  );
}
