import { EXCERPT_CODE_POINTS, safePassage } from '../extract/passage.ts';
import { contactAndPersonSpans } from '../extract/persons.ts';

/** Title, buyer and closing: names of those are no contact persons. */
const HEAD = /^[^\n]*(?:\nBuyer: [^\n]*)?(?:\nClosing: [^\n]*)?/;

/**
 * The passage of a tender's text to quote: from its title on, at most 600 code points, up to the first contact or the name
 * of a person to turn to. Undefined when nothing can be quoted.
 */
export function chooseTenderExcerpt(text: string): string | undefined {
  const head = HEAD.exec(text)?.[0] ?? '';
  return safePassage(text, EXCERPT_CODE_POINTS, (passage) =>
    contactAndPersonSpans(passage, passage.startsWith(head) ? head.length : 0),
  );
}
