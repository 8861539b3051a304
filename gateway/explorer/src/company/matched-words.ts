export interface Span {
  readonly text: string;
  readonly matched: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
const STOP_WORDS = new Set(
  'a an and are as at be but by companies company for from has have in into is it its new of on or our that the their they this to was we were which who will with'.split(
    ' ',
  ),
);
const ENDINGS = ['ations', 'ation', 'ings', 'ing', 'ions', 'ion', 'ers', 'ies', 'ed', 'er', 'es', 's', 'y', 'e'];
const SHORTEST_STEM = 3;

/**
 * Splits a text into spans and marks the words of the query. It ignores case, accents and common
 * English endings.
 */
export function markWords(text: string, query: string): readonly Span[] {
  const wanted = stemsOf(query);
  const spans: Span[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!wanted.has(stemOf(word))) continue;
    if (index > from) spans.push({ text: text.slice(from, index), matched: false });
    spans.push({ text: word, matched: true });
    from = index + word.length;
  }
  if (from < text.length) spans.push({ text: text.slice(from), matched: false });
  return spans;
}

function stemsOf(query: string): ReadonlySet<string> {
  const asked = query.replace(/(?:^|\s)-\S+/gu, ' ');
  const words = [...asked.matchAll(WORD)].map(([word]) => plain(word));
  return new Set(words.filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map(stemOf));
}

function stemOf(word: string): string {
  const whole = plain(word);
  const ending = ENDINGS.find((one) => whole.endsWith(one) && whole.length - one.length >= SHORTEST_STEM);
  const stem = ending === undefined ? whole : whole.slice(0, -ending.length);
  // Treats plan and planning, or expand and expansion, as one word.
  return stem.replace(/([bdgmnprt])\1$/, '$1').replace(/(?<=an|en)[ds]$/, '');
}

function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
