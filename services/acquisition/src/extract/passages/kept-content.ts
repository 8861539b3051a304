import { withContactsMarked } from '@ces/proto/contact-details';
import { foldText } from '@ces/proto/folded-text';
import { isObject } from '../formats/json.ts';
import { jsonContent } from '../formats/members.ts';
import { withoutNames } from './contact-fields.ts';

/** No source nests records this deep. Deeper content is dropped. */
const MOST_LEVELS = 100;

/**
 * Returns the content that is kept of a row or JSON object: `jsonContent` without `contactFields`
 * (decision 0017). `[name]` replaces each of `names` in free text. `[contact]` replaces e-mail
 * addresses and telephone numbers in any text.
 */
export function keptContent(
  value: unknown,
  contactFields: readonly string[] = [],
  names: readonly string[] = [],
): string {
  // An address often holds the name. Without the name it would not be recognised.
  return jsonContent(withoutNames(withoutDetails(value, 0), names), contactFields);
}

function withoutDetails(value: unknown, level: number): unknown {
  if (level > MOST_LEVELS) return undefined;
  if (typeof value === 'string') return isSentence(value) ? withContactsMarked(value) : value;
  if (Array.isArray(value)) return value.map((item) => withoutDetails(item, level + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutDetails(member, level + 1)]));
}

/**
 * A single word is an identifier, unless it has a sign of an e-mail address, a call or an area
 * code.
 */
function isSentence(text: string): boolean {
  return /[\s@]|\(\d{3}\)|^\+\d|(?:^|\W)(?:tel|sms|callto|fax):|wa\.me\/|_at_|["'*|#]at["'*|#]/i.test(
    foldText(text).text,
  );
}
