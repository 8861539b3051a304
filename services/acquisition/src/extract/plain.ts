import { htmlToText, tidyText } from './html.ts';

const TAG = /<[a-z!/]/i;
const ENTITY = /&(?:[a-z]{2,8}|#\w{1,6});/i;

/** A field that is meant as text and may hold HTML, once more escaped by some publishers: without it, line ends kept. */
export function plainText(text: string | undefined): string {
  if (text === undefined) return '';
  const once = decoded(text);
  return TAG.test(once) || ENTITY.test(once) ? decoded(once) : once;
}

/** Line ends of HTML are blanks; those of a text that only has entities are its own. */
function decoded(text: string): string {
  if (TAG.test(text)) return htmlToText(text);
  return tidyText(ENTITY.test(text) ? text.split('\n').map(htmlToText).join('\n') : text);
}

/** As `plainText`, on one line. */
export function plainLine(text: string | undefined): string {
  return plainText(text).replace(/\n/g, ' ');
}
