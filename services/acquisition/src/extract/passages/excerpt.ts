import { contactSpans, type Span } from '@ces/proto/contact-details';
import { refuse } from '../../connector/refuse.ts';
import { EXCERPT_CODE_POINTS, safePassage, startOutside } from './passage.ts';
import { contactAndPersonSpans } from './persons.ts';

const LEAD = 160;

/**
 * Returns at most 600 code points without contact details, from the first match of `about` on.
 * Undefined if nothing may be quoted.
 */
export function chooseExcerpt(text: string, about?: RegExp): string | undefined {
  return choose(text, about, contactSpans);
}

/** Also leaves out names of contact persons (decision 0017). The first line is the title. */
export function chooseImpersonalExcerpt(text: string, about?: RegExp): string | undefined {
  const title = text.slice(0, Math.max(0, text.indexOf('\n')));
  return choose(text, about, (passage) => contactAndPersonSpans(passage, passage.startsWith(title) ? title.length : 0));
}

/** Refuses a record of which nothing may be quoted, and names `field`. */
export function quotable(field: string, excerpt: string | undefined): string {
  return excerpt ?? refuse(field, 'holds nothing that may be quoted');
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
  /* Starting at a low surrogate would split a character. */
  return /[\udc00-\udfff]/.test(text[start] ?? '') ? start + 1 : start;
}
