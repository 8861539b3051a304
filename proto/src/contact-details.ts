import { CONTACT_SHAPES, type ContactShape, isAddress, MOST_BEFORE } from './contact-shapes.ts';
import { foldText } from './folded-text.ts';
import { shownText } from './shown-text.ts';

/**
 * The record never contains e-mail addresses or telephone numbers of people (decision 0017).
 * Importers remove them, and the record rejects a text that still has one, by the same patterns.
 */

/** In UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const NAME_TAKEN_OUT = '[name]';
const DETAIL_TAKEN_OUT = '[contact]';

/** Contact details and their placeholders: sorted, without overlaps (decision 0017). */
export function contactSpans(text: string): Span[] {
  return spansOf(text, [...CONTACT_SHAPES, TAKEN_OUT]);
}

/** Replaces each contact detail with `[contact]`, so that no quotation runs across it. */
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

/**
 * Removes contact details and the spaces and brackets around them. Empty if the text consists of
 * contact details.
 */
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

/** A removal may form a new contact. A text that needs more rounds consists of contacts. */
const MOST_ROUNDS = 10;

export function findContactDetail(text: string): 'an e-mail address' | 'a telephone number' | undefined {
  const details = detailSpans(text).map(({ start, end }) => text.slice(start, end));
  if (details.length === 0) return undefined;
  return details.some(isAddress) ? 'an e-mail address' : 'a telephone number';
}

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

const TAKEN_OUT: ContactShape = { signs: [/\[(?:name|contact)\]/], pattern: /\[(?:name|contact)\]/g };

function tidy(text: string): string {
  return text
    .replace(/[([]\s*[)\]]/g, ' ')
    .replace(/(?<!\s)\s+([.,;:!?])/g, '$1')
    .replace(/[^\S\n]{2,}/g, ' ')
    .trim();
}
