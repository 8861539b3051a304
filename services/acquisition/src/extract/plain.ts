import { htmlToText, tidyText } from './html.ts';

const MARKUP = /<[a-z!/]|&(?:[a-z]{2,8}|#\w{1,6});/i;

/** A field that is meant as text and may hold HTML, once more escaped by some publishers: without it, line ends kept. */
export function plainText(text: string | undefined): string {
  if (text === undefined) return '';
  const once = MARKUP.test(text) ? htmlToText(text) : tidyText(text);
  return MARKUP.test(once) ? htmlToText(once) : once;
}

/** As `plainText`, on one line. */
export function plainLine(text: string | undefined): string {
  return plainText(text).replace(/\n/g, ' ');
}
