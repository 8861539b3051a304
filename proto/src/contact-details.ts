import { CONTACT_SHAPES, type ContactShape, isAddress, MOST_BEFORE } from './contact-shapes.ts';
import { foldText } from './folded-text.ts';
import { shownText } from './shown-text.ts';

/**
 * What the record never carries: e-mail addresses and telephone numbers of people (decision 0017). What brings a text takes
 * them out, and the record refuses a text that still has one, by the same patterns.
 */

/** A part of a text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands in a kept text where its source named a contact person, and where an address or number of one stood. */
export const NAME_TAKEN_OUT = '[name]';
const DETAIL_TAKEN_OUT = '[contact]';

/** Where a text carries e-mail addresses and telephone numbers, or did: in order, without overlaps (decision 0017). */
export function contactSpans(text: string): Span[] {
  return spansOf(text, [...CONTACT_SHAPES, TAKEN_OUT]);
}

/** The text with `[contact]` for each e-mail address and telephone number, so that nothing that is quoted runs over the place. */
export function withContactsMarked(text: string): string {
  let rest = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const spans = detailSpans(rest);
    if (spans.length === 0) return rest;
    const starts = [0, ...spans.map(({ end }) => end)];
    rest = starts.map((start, index) => rest.slice(start, spans[index]?.start)).join(DETAIL_TAKEN_OUT);
  }
  return DETAIL_TAKEN_OUT;
}

/** The text with e-mail addresses and telephone numbers taken out, and the blanks and brackets they leave; empty where it is made of them. */
export function withoutContacts(text: string): string {
  let rest = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const spans = contactSpans(rest);
    if (spans.length === 0) return rest;
    const starts = [0, ...spans.map(({ end }) => end)];
    rest = tidy(starts.map((start, index) => rest.slice(start, spans[index]?.start)).join(' '));
  }
  return '';
}

/** What is taken out may leave another contact behind; a text in which so many stand inside each other is nothing else. */
const MOST_ROUNDS = 10;

/** What of the kind a text still carries; undefined when it carries nothing. */
export function findContactDetail(text: string): 'an e-mail address' | 'a telephone number' | undefined {
  const details = detailSpans(text).map(({ start, end }) => text.slice(start, end));
  if (details.length === 0) return undefined;
  return details.some(isAddress) ? 'an e-mail address' : 'a telephone number';
}

/** Where e-mail addresses and telephone numbers stand; what was taken out is none. */
function detailSpans(text: string): Span[] {
  return spansOf(text, CONTACT_SHAPES);
}

function spansOf(text: string, shapes: readonly ContactShape[]): Span[] {
  const folded = foldText(text);
  const shown = shownText(folded.text);
  const found = [
    ...matchesOf(folded.text, shapes),
    ...(shown ? matchesOf(shown.text, shapes).map(({ start, end }) => shown.spanOf(start, end)) : []),
  ];
  return mergedSpans(found.map(({ start, end }) => folded.spanOf(start, end)));
}

function matchesOf(text: string, shapes: readonly ContactShape[]): Span[] {
  return shapes
    .filter(({ signs }) => signs.every((sign) => sign.test(text)))
    .flatMap(({ pattern, isOther }) =>
      [...text.matchAll(pattern)].filter(
        ({ index, 0: match }) => isOther?.(match, text.slice(Math.max(0, index - MOST_BEFORE), index)) !== true,
      ),
    )
    .map(({ index, 0: match }) => ({ start: index, end: index + match.length }));
}

/** In order, those that touch as one. */
export function mergedSpans(found: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...found].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = result.at(-1);
    if (last && span.start <= last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}

/** What was taken out of a kept text. */
const TAKEN_OUT: ContactShape = { signs: [/\[(?:name|contact)\]/], pattern: /\[(?:name|contact)\]/g };

function tidy(text: string): string {
  return text
    .replace(/[([]\s*[)\]]/g, ' ')
    .replace(/(?<!\s)\s+([.,;:!?])/g, '$1')
    .replace(/[^\S\n]{2,}/g, ' ')
    .trim();
}
