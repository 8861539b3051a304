import { foldText } from './folded-text.ts';

/**
 * What the record never carries: e-mail addresses and telephone numbers of people (decision 0025). What brings a text takes
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

/** Where a text carries e-mail addresses and telephone numbers, or did: in order, without overlaps (decisions 0025, 0125). */
export function contactSpans(text: string): Span[] {
  return spansOf(text, [...SHAPES, TAKEN_OUT]);
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

/**
 * What of the kind a text still carries; undefined when it carries nothing. Clause numbers of federal procurement
 * (`252.211-7003`) have the shape of a telephone number: what brings a text takes them out to be safe, and one that is left
 * is no reason to refuse it.
 */
export function findContactDetail(text: string): 'an e-mail address' | 'a telephone number' | undefined {
  const details = detailSpans(text).map(({ start, end }) => text.slice(start, end));
  if (details.length === 0) return undefined;
  return details.some(isAddress) ? 'an e-mail address' : 'a telephone number';
}

/** Without clause numbers. */
function detailSpans(text: string): Span[] {
  return spansOf(text, SHAPES).filter(({ start, end }) => !CLAUSE_NUMBER.test(foldText(text.slice(start, end)).text));
}

function spansOf(text: string, shapes: readonly ContactShape[]): Span[] {
  const folded = foldText(text);
  const found = shapes
    .filter(({ signs }) => signs.every((sign) => sign.test(folded.text)))
    .flatMap(({ pattern }) => [...folded.text.matchAll(pattern)])
    .map(({ index, 0: match }) => folded.spanOf(index, index + match.length))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const merged: Span[] = [];
  for (const span of found) {
    const last = merged.at(-1);
    if (last && span.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}

function isAddress(detail: string): boolean {
  return [EMAIL, SPACED_EMAIL].some(({ pattern }) => foldText(detail).text.search(pattern) >= 0);
}

/** A shape of contact, and cheap signs without each of which a text holds none. */
interface ContactShape {
  readonly signs: readonly RegExp[];
  readonly pattern: RegExp;
}

/** Programs for writing make dashes of hyphens, and some writers put points in the middle. */
const SEVEN_DIGITS = /\d(?:[\s()./\u2010-\u2015\u00b7-]{0,3}\d){6}/;

/** An address as programs read it, its `@` and points in brackets or not. */
const EMAIL: ContactShape = {
  signs: [/@|[[({]\s?at\s?[\])}]/i],
  pattern:
    /[\p{L}\p{N}._%+'-]{1,64}(?:@|\s?[[({]\s?at\s?[\])}]\s?)[\p{L}\p{N}-]+(?:(?:\.|\s?[[({]\s?(?:dot|point)\s?[\])}]\s?)[\p{L}\p{N}-]+)+/giu,
};

/**
 * An address as people hide it from programs, with blanks about its `@` or with words for it and the points. Its end is one
 * that addresses in North America have, since an `@` between blanks and a "dot" are words of sentences too.
 */
const SPACED_EMAIL: ContactShape = {
  signs: [/@\s|\sat\s/i, /@|\sdot\s/i],
  pattern:
    /[\p{L}\p{N}._%+'-]{1,64}(?:\s{0,3}@\s{0,3}(?:[\p{L}\p{N}-]{1,63}(?:\.|\s\.\s?|\sdot\s)){1,8}|\sat\s(?:[\p{L}\p{N}-]{1,63}\sdot\s){1,8})(?:com|org|net|gov|edu|mil|int|ca|us|co|info|biz|example)(?![\p{L}\p{N}-])/giu,
};

/** Three, three and four digits, as North America writes them, with country code and extension. */
const NORTH_AMERICAN: ContactShape = {
  signs: [SEVEN_DIGITS],
  pattern:
    /(?<!\w|\d[-.])(?:\+?1[\s.\u2010-\u2015\u00b7-]?)?(?:\(\d{3}\)[\s\u2010-\u2015\u00b7-]{0,3}|\d{3}[\s./\u2010-\u2015\u00b7-]{1,3})\d{3}(?:[\s.-]|\s?[\u2010-\u2015\u00b7]\s?)\d{4}(?!-?\w)(?:[\s,;]{0,2}(?:ext|x|poste)\.?\s?\d{1,6}(?!\w))?/giu,
};

/** A plus sign, a country code and 8 to 15 digits in groups. */
const INTERNATIONAL: ContactShape = {
  signs: [/\+\d/],
  pattern: /\+(?=(?:[\s().-]{0,2}\d){8,15}(?!\d))\d{1,3}(?:[\s().-]{0,2}\d{1,5}){1,6}(?!\d)/gu,
};

/** Any 7 to 15 digits after a word that announces a telephone number. */
const ANNOUNCED: ContactShape = {
  signs: [SEVEN_DIGITS],
  pattern:
    /(?<!\p{L})(?:telephone|téléphone|phone|tel|tél|ph(?=[.:])|fax|facsimile|télécopieur|cell|cellular|mobile|call(?:ing)?(?:\s(?:us|at))*)\s?(?:number|no|#|numéro)?[\s.:#]{0,3}(?:-\s|is\s|at\s|au\s)?\s?(?=(?:[\s()./-]{0,2}\d){7,15}(?!\d))\(?\d(?:[\s()./-]{0,2}\d){6,14}(?!\d)/giu,
};

/** What was taken out of a kept text. */
const TAKEN_OUT: ContactShape = { signs: [/\[(?:name|contact)\]/], pattern: /\[(?:name|contact)\]/g };

const CLAUSE_NUMBER = /^\d52\.2\d{2}-\d{4}$/;

const SHAPES = [EMAIL, SPACED_EMAIL, NORTH_AMERICAN, INTERNATIONAL, ANNOUNCED];

function tidy(text: string): string {
  return text
    .replace(/[([]\s*[)\]]/g, ' ')
    .replace(/(?<!\s)\s+([.,;:!?])/g, '$1')
    .replace(/[^\S\n]{2,}/g, ' ')
    .trim();
}
