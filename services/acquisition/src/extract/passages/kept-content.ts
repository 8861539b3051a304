import { withContactsMarked } from '@ces/proto/contact-details';
import { foldText } from '@ces/proto/folded-text';
import { MAX_KEY_LENGTH, type Parsed } from '../../connector/source.ts';
import { fieldNames, jsonContent, mapTexts } from '../formats/members.ts';
import { withoutNames } from './contact-fields.ts';

/**
 * `jsonContent` without `contactFields` (decision 0017). In free text `[name]` replaces each of
 * `names`, in any text `[contact]` e-mail addresses and telephone numbers.
 */
export function keptContent(
  value: unknown,
  contactFields: readonly string[] = [],
  names: readonly string[] = [],
): string {
  // An address often holds the name, without which it would not be recognised.
  const marked = mapTexts(value, (text) => (isSentence(text) ? withContactsMarked(text) : text));
  return jsonContent(withoutNames(marked, names), contactFields);
}

export function keptRecord(
  { key, uri }: { readonly key: string; readonly uri: string },
  value: unknown,
  contactFields: readonly string[] = [],
  names: readonly string[] = [],
): Parsed {
  const content = keptContent(value, contactFields, names);
  const fields = fieldNames(JSON.parse(content));
  return { type: 'record', record: { key: key.slice(0, MAX_KEY_LENGTH), uri, content, fields } };
}

/** A single word is an identifier, unless it looks like an e-mail address or telephone number. */
function isSentence(text: string): boolean {
  return /[\s@]|\(\d{3}\)|^\+\d|(?:^|\W)(?:tel|sms|callto|fax):|wa\.me\/|_at_|["'*|#]at["'*|#]/i.test(
    foldText(text).text,
  );
}
