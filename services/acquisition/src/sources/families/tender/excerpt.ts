import { EXCERPT_CODE_POINTS, safePassage } from '../../../extract/passages/passage.ts';
import { contactAndPersonSpans } from '../../../extract/passages/persons.ts';

const HEAD = /^[^\n]*(?:\nBuyer: [^\n]*)?(?:\nClosing: [^\n]*)?/;

/** At most 600 code points from the title on. Undefined if nothing may be quoted. */
export function chooseTenderExcerpt(text: string): string | undefined {
  const head = HEAD.exec(text)?.[0] ?? '';
  return safePassage(text, EXCERPT_CODE_POINTS, (passage) =>
    contactAndPersonSpans(passage, passage.startsWith(head) ? head.length : 0),
  );
}
