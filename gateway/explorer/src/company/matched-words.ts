export interface Span {
  readonly text: string;
  readonly matched: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
const STOP_WORDS = new Set(
  'a an and are as at be been but by companies company firm firms business businesses for from has have in into is it its just me my new of on or our recently that the their them they this to us was we were which who will with any all some'.split(
    ' ',
  ),
);
const ENDINGS = ['ations', 'ation', 'ings', 'ing', 'ions', 'ion', 'ers', 'ies', 'ed', 'er', 'es', 's', 'y', 'e'];
const SHORTEST_STEM = 3;
/** Least number of words that a sentence and its fact share. */
const SHARED_WORDS = 2;

/** Ignores case, accents and common English endings. */
export function markWords(text: string, query: string): readonly Span[] {
  const wanted = new Set(wordsAskedFor(query).map(stemOf));
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

/** Marks the sentence with most words of the fact, at least two, for evidence found by meaning. */
export function markSentence(text: string, fact: string): readonly Span[] {
  const wanted = stemsIn(fact);
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)];
  const shared = sentences.map(({ segment }) => [...stemsIn(segment)].filter((stem) => wanted.has(stem)).length);
  const most = Math.max(0, ...shared);
  const nearest = sentences[shared.indexOf(most)];
  if (!nearest || most < SHARED_WORDS) return text === '' ? [] : [{ text, matched: false }];
  const sentence = nearest.segment.trimEnd();
  const to = nearest.index + sentence.length;
  return [
    { text: text.slice(0, nearest.index), matched: false },
    { text: sentence, matched: true },
    { text: text.slice(to), matched: false },
  ].filter((span) => span.text !== '');
}

/** Without small words, each once. */
export function topicWordsOf(text: string): readonly string[] {
  const words = [...text.matchAll(WORD)].map(([word]) => word).filter(isTopic);
  return [...new Map(words.toReversed().map((word) => [stemOf(word), word])).values()].toReversed();
}

/** The stems of a text, small words left out. */
export function stemsIn(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(WORD)]
      .map(([word]) => word)
      .filter(isTopic)
      .map(stemOf),
  );
}

export function stemOf(word: string): string {
  const whole = plain(word);
  const ending = ENDINGS.find((one) => whole.endsWith(one) && whole.length - one.length >= SHORTEST_STEM);
  const stem = ending === undefined ? whole : whole.slice(0, -ending.length);
  // plan and planning, or expand and expansion, are one word.
  return stem.replace(/([bdgmnprt])\1$/, '$1').replace(/(?<=an|en)[ds]$/, '');
}

function wordsAskedFor(query: string): readonly string[] {
  return topicWordsOf(query.replace(/(?:^|\s)-(?:"[^"]*"|\S+)/gu, ' '));
}

function isTopic(word: string): boolean {
  return word.length > 1 && !STOP_WORDS.has(plain(word));
}

function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
