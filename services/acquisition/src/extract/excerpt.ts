import { contactSpans, type Span } from '@ces/proto/contact-details';
import { EXCERPT_CODE_POINTS, safePassage, startOutside } from './passage.ts';
import { contactAndPersonSpans } from './persons.ts';

/** How far before the words it is about a passage may begin, in UTF-16 units. */
const LEAD = 160;

/**
 * The passage to quote from an extracted text: contiguous, at most 600 code points, without e-mail addresses and telephone
 * numbers. With `about`, it begins at the sentence that holds the first match. Undefined when nothing can be quoted.
 */
export function chooseExcerpt(text: string, about?: RegExp): string | undefined {
  return choose(text, about, contactSpans);
}

/**
 * As `chooseExcerpt`, of what an organisation asks for or whom it looks for: without the name of a person to turn to either
 * (decision 0017). The first line is its title, in which nobody is named.
 */
export function chooseImpersonalExcerpt(text: string, about?: RegExp): string | undefined {
  const title = text.slice(0, Math.max(0, text.indexOf('\n')));
  return choose(text, about, (passage) => contactAndPersonSpans(passage, passage.startsWith(title) ? title.length : 0));
}

function choose(
  text: string,
  about: RegExp | undefined,
  findSpans: (text: string) => readonly Span[],
): string | undefined {
  const passageOf = (given: string) => safePassage(given, EXCERPT_CODE_POINTS, findSpans);
  const at = about ? text.search(about) : -1;
  const fromThere = at > 0 ? passageOf(text.slice(startOutside(findSpans(text), sentenceStart(text, at)))) : undefined;
  if (fromThere && (!about || about.test(fromThere))) return fromThere;
  return passageOf(text);
}

function sentenceStart(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - LEAD), at);
  const end = /^.*(?:[.!?]\s+|\n+)/s.exec(before)?.[0].length;
  if (end !== undefined) return Math.max(0, at - LEAD) + end;
  if (at <= LEAD) return 0;
  const start = at - LEAD + (/^\S*\s/.exec(before)?.[0].length ?? 0);
  /* Half a character would be no text of the document. */
  return /[\udc00-\udfff]/.test(text[start] ?? '') ? start + 1 : start;
}
