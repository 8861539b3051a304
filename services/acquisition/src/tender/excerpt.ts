import { contactSpans, type Span } from '@ces/proto/contact-details';
import { EXCERPT_CODE_POINTS, safePassage } from '../extract/passage.ts';
import { personSpans } from '../extract/persons.ts';

/** Title, buyer and closing: names of those are no contact persons. */
const HEAD = /^[^\n]*(?:\nBuyer: [^\n]*)?(?:\nClosing: [^\n]*)?/;

/**
 * The passage of a tender's text to quote: from its title on, at most 600 code points, up to the first contact or the name
 * of a person to turn to. Undefined when nothing can be quoted.
 */
export function chooseTenderExcerpt(text: string): string | undefined {
  const head = HEAD.exec(text)?.[0] ?? '';
  return safePassage(text, EXCERPT_CODE_POINTS, (passage) =>
    spansOf(passage, passage.startsWith(head) ? head.length : 0),
  );
}

/** Where a passage carries contacts and, from `from` on, names of contact persons. */
function spansOf(passage: string, from: number): Span[] {
  const rest = passage.slice(from);
  const persons = personSpans(rest).map(({ start, end }) => ({ start: start + from, end: end + from }));
  const spans: Span[] = [];
  for (const span of [...contactSpans(passage), ...persons].sort((a, b) => a.start - b.start))
    if (span.start >= (spans.at(-1)?.end ?? 0)) spans.push(span);
  return spans;
}
