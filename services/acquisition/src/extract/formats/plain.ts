import { htmlToText, tidyText } from './html.ts';

const TAG = /<[a-z!/]/i;
const ENTITY = /&(?:[a-z]{2,8}|#\w{1,6});/i;

/** Some publishers escape HTML twice. */
export function plainText(text: string | undefined): string {
  if (text === undefined) return '';
  const once = decoded(text);
  return TAG.test(once) || ENTITY.test(once) ? decoded(once) : once;
}

/** Line breaks of HTML are blanks; a text with entities only keeps its own. */
function decoded(text: string): string {
  if (TAG.test(text)) return htmlToText(text);
  return tidyText(ENTITY.test(text) ? text.split('\n').map(htmlToText).join('\n') : text);
}

export function plainLine(text: string | undefined): string {
  return plainText(text).replace(/\n/g, ' ');
}
