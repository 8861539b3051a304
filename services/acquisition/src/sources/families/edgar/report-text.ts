import { htmlToText, tidyText } from '../../../extract/formats/html.ts';

/** HTML elements that are not tags of plain-text filings (`<PAGE>`, `<TABLE>`, `<S>`, `<C>`). */
const HTML = /<(?:html|body|div|p|br|font|span|td|tr|center|b|i)\b[^>]{0,400}>/i;
const TEXT_TAG = /<\/?(?:page|table|caption|s|c|fn|f1|f2|f3|multiplier|legend|text)>/gi;
const PAGE_NUMBER = /^\W{0,4}(?:page\s)?\d{1,3}(?:\sof\s\d{1,3})?\W{0,4}$|^table of contents$|^\(?continued\)?$/i;
const COLUMNS = /\S\s{3,}\S/;
const HEADING = /^\W{0,6}(?:section|items?)\s{0,3}\d/i;
const SENTENCE_ENDS = /[.!?:;]["”’)]{0,2}$/;

/** One line a paragraph. Removes page numbers and joins sentences split by a page or line break. */
export function reportText(body: string): string {
  const lines = HTML.test(body) ? htmlToText(body).split('\n') : paragraphsOf(body);
  return tidyText(joinBroken(lines).join('\n'));
}

function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) paragraphs.push(open.join(' '));
    open = [];
  };
  for (const line of text.replace(TEXT_TAG, '').split('\n')) {
    const words = line.trim();
    if (words === '' || HEADING.test(words) || COLUMNS.test(words)) close();
    if (words !== '') open.push(words);
    if (COLUMNS.test(words)) close();
  }
  close();
  return paragraphs;
}

/** A line that begins in lower case continues the previous one, unless that ends a sentence. */
function joinBroken(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    if (PAGE_NUMBER.test(line.trim())) continue;
    const before = joined.at(-1);
    if (before !== undefined && /^\s*[a-z]/.test(line) && !HEADING.test(line) && !SENTENCE_ENDS.test(before.trim()))
      joined[joined.length - 1] = `${before} ${line.trim()}`;
    else joined.push(line);
  }
  return joined;
}
