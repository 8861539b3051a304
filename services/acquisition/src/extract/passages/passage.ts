import { contactSpans, type Span } from '@ces/proto/contact-details';
import { isPersonName } from './persons.ts';

/** The longest that lookup accepts (gateway/docs/contract.md, Record and evidence). */
export const EXCERPT_CODE_POINTS = 600;

/** A shorter passage is used only if no longer one exists. */
const WORTH_KEEPING = 60;

/**
 * A contiguous passage without the spans of `findSpans`. It ends before the sentence or lines that
 * introduce the first span; if that leaves too little, another one is used.
 */
export function safePassage(
  text: string,
  maxCodePoints = EXCERPT_CODE_POINTS,
  findSpans: (text: string) => readonly Span[] = contactSpans,
): string | undefined {
  for (let passage = text; ; ) {
    const spans = findSpans(passage);
    const cut = cutAtWord(spans.length === 0 ? passage : longEnough(gaps(passage, spans)), maxCodePoints);
    if (cut === '') return undefined;
    const isWhole = spans.length === 0 && cut === passage;
    if (isWhole || findSpans(cut).length === 0) return cut;
    passage = cut;
  }
}

/** A start inside a span would separate a contact from the label that identifies it. */
export function startOutside(spans: readonly Span[], start: number): number {
  return spans.find((span) => span.start < start && start < span.end)?.end ?? start;
}

/** Cuts at the last word boundary within `maxCodePoints`, or inside a longer word. */
export function cutAtWord(text: string, maxCodePoints: number): string {
  const trimmed = text.trim();
  const limit = offsetOf(trimmed, maxCodePoints);
  if (limit === trimmed.length) return trimmed;
  if (/\s/.test(trimmed.charAt(limit))) return trimmed.slice(0, limit).trimEnd();
  const head = trimmed.slice(0, limit);
  return (/^.*\s/s.exec(head)?.[0] ?? head).trimEnd();
}

export function fits(text: string, codePoints: number): boolean {
  return offsetOf(text, codePoints) === text.length;
}

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

const SENTENCE_END = /(?<!(?<!\p{L})(?:no|nos|mr|mrs|ms|dr|tel|tél|ph|ext|attn|st|n))[.!?;](?=\s)/giu;

const LEADS_UP =
  /^[\s*•-]*(?:tele?phone|téléphone|tél|tel|phone|fax|telecopier|télécopieur|facsimile|e-?mail|courriel|contact|attention|attn|name|nom|inquiries|enquiries|renseignements|cell|mobile|poc|point of contact)\b[^.!?\n]{0,40}$/iu;
const IS_LABEL = /^[^.!?\n]{1,40}:$/;
const IS_ROLE =
  /^[^.!?\n]{0,20}(?:officer|specialist|authority|administrator|negotiator|agent|buyer|acheteu(?:r|se)|manager|director)s?\W{0,3}$/i;

/** Text that introduces a contact often names the person. Kept if nothing precedes it. */
function beforeLastSentence(text: string): string {
  const line = text.lastIndexOf('\n') + 1;
  const end = [...text.slice(line).matchAll(SENTENCE_END)].at(-1);
  let kept = text.slice(0, end ? line + end.index + 1 : line).trimEnd();
  for (let from = kept.lastIndexOf('\n'); from > 0; from = kept.lastIndexOf('\n')) {
    const last = kept.slice(from + 1).trim();
    if (last !== '' && !LEADS_UP.test(last) && !IS_LABEL.test(last) && !IS_ROLE.test(last) && !isPersonName(last))
      break;
    kept = kept.slice(0, from);
  }
  return kept.trim() === '' ? text : kept;
}

function longEnough(passages: readonly string[]): string {
  const trimmed = passages.map((passage) => passage.trim());
  const longest = trimmed.reduce((best, passage) => (passage.length > best.length ? passage : best), '');
  return trimmed.find((passage) => passage.length >= WORTH_KEEPING) ?? longest;
}
