import { contactSpans, type Span } from '@ces/proto/contact-details';

/** What the record accepts of an excerpt, in code points (gateway/docs/contract.md, Record and evidence). */
export const EXCERPT_CODE_POINTS = 600;

/** A passage shorter than this is only taken when there is no longer one, in UTF-16 units. */
const WORTH_KEEPING = 60;

/**
 * A contiguous passage of `text` without e-mail addresses and telephone numbers, at most `maxCodePoints` long, cut at a
 * word boundary. It ends before the sentence that carries the first of them, or is another passage when that leaves
 * next to nothing. Undefined when nothing is left.
 */
export function safePassage(text: string, maxCodePoints = EXCERPT_CODE_POINTS): string | undefined {
  for (let passage = text; ; ) {
    const spans = contactSpans(passage);
    const cut = cutAtWord(spans.length === 0 ? passage : longEnough(gaps(passage, spans)), maxCodePoints);
    if (cut === '') return undefined;
    if (contactSpans(cut).length === 0) return cut;
    passage = cut;
  }
}

/** The text, or its beginning up to the last word boundary within `maxCodePoints`; a word longer than that is cut hard. */
export function cutAtWord(text: string, maxCodePoints: number): string {
  const trimmed = text.trim();
  const limit = offsetOf(trimmed, maxCodePoints);
  if (limit === trimmed.length) return trimmed;
  if (/\s/.test(trimmed.charAt(limit))) return trimmed.slice(0, limit).trimEnd();
  const head = trimmed.slice(0, limit);
  return (/^.*\s/s.exec(head)?.[0] ?? head).trimEnd();
}

/** Whether a text has at most `codePoints` code points. */
export function fits(text: string, codePoints: number): boolean {
  return offsetOf(text, codePoints) === text.length;
}

/** Where the first `codePoints` code points of a text end, in UTF-16 units. */
function offsetOf(text: string, codePoints: number): number {
  if (text.length <= codePoints) return text.length;
  let offset = 0;
  for (let left = codePoints; left > 0 && offset < text.length; left -= 1)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

function gaps(text: string, spans: readonly Span[]): string[] {
  const starts = [0, ...spans.map((span) => span.end)];
  return starts.map((start, index) => {
    const span = spans[index];
    return span ? beforeLastSentence(text.slice(start, span.start)) : text.slice(start).replace(/^[\s.,;:)\]>]+/, '');
  });
}

/** Without the sentence that leads up to a contact, which often names the person: when a sentence stands before it. */
function beforeLastSentence(text: string): string {
  const whole = /^.*[.!?;](?=\s)/s.exec(text)?.[0] ?? '';
  return whole.trim().length >= WORTH_KEEPING ? whole : text;
}

function longEnough(passages: readonly string[]): string {
  const trimmed = passages.map((passage) => passage.trim());
  const longest = trimmed.reduce((best, passage) => (passage.length > best.length ? passage : best), '');
  return trimmed.find((passage) => passage.length >= WORTH_KEEPING) ?? longest;
}
