import { lexemesOfText } from '../../../../text/stem.ts';
import type { InvertedIndexView } from '../inverted-index/inverted-index.ts';
import { hasPhrase, readWords, type WrittenPhrase, writtenPhrase } from '../inverted-index/written-texts.ts';

export interface KnownPhrase {
  readonly words: readonly string[];
  readonly lexemes: readonly string[];
  readonly written: WrittenPhrase;
}

/** Returns undefined if no text can have the phrase. */
export function knownPhrase({ lexicon }: InvertedIndexView, words: readonly string[]): KnownPhrase | undefined {
  const written = writtenPhrase(lexicon, words);
  return written && { words, written, lexemes: lexemesOfText(words).flatMap((lexeme) => lexeme ?? []) };
}

export function mostDocuments(texts: InvertedIndexView, { lexemes }: KnownPhrase): number {
  return Math.min(Number.POSITIVE_INFINITY, ...lexemes.map((lexeme) => texts.countOf(lexeme)));
}

export function takeDocumentsWith(
  texts: InvertedIndexView,
  { lexemes, written }: KnownPhrase,
  take: (document: number) => void,
): void {
  if (lexemes.length === 0) takeAllWith(texts, written, take);
  for (const { first, documents, from, to } of texts.documentsOf({ lexemes, offsets: [] }, false)) {
    const segment = texts.segmentOf(first);
    for (let at = from; at < to && segment; at += 1) {
      const document = documents[at] ?? 0;
      if (hasPhrase(segment.written, document, written)) take(first + document);
    }
  }
}

/** Reads all texts: stop words have no postings. */
function takeAllWith({ segments }: InvertedIndexView, phrase: WrittenPhrase, take: (document: number) => void): void {
  for (const { first, size, written } of segments)
    for (let at = 0; at < size; at += 1) if (hasPhrase(written, at, phrase)) take(first + at);
}

/** Finds many phrases in one pass over the words of a text. */
export class PhraseMatcher {
  readonly #byFirstWord: ReadonlyMap<number, readonly { readonly at: number; readonly rest: WrittenPhrase }[]>;
  readonly #found: Uint8Array;
  #missing: number;

  constructor(phrases: readonly WrittenPhrase[]) {
    const all = phrases.map((phrase, at) => ({ at, ...splitFirstWord(phrase) }));
    this.#byFirstWord = Map.groupBy(all, ({ word }) => word);
    this.#found = new Uint8Array(phrases.length);
    this.#missing = phrases.length;
  }

  get hasFoundAny(): boolean {
    return this.#missing < this.#found.length;
  }

  get hasFoundAll(): boolean {
    return this.#missing === 0;
  }

  forget(): void {
    this.#found.fill(0);
    this.#missing = this.#found.length;
  }

  read(texts: InvertedIndexView, document: number, inFirst = false): void {
    const segment = texts.segmentOf(document);
    if (!segment) return;
    const { bytes } = segment.written;
    const take = (word: number, next: number) => {
      for (const { at, rest } of this.#byFirstWord.get(word) ?? [])
        if (this.#found[at] === 0 && rest.every((byte, behind) => bytes[next + behind] === byte)) {
          this.#found[at] = 1;
          this.#missing -= 1;
        }
    };
    readWords(segment.written, document - segment.first, take, inFirst);
  }
}

function splitFirstWord(phrase: WrittenPhrase): { readonly word: number; readonly rest: WrittenPhrase } {
  let split = { word: 0, rest: phrase };
  const written = { bytes: phrase, starts: Uint32Array.of(0, phrase.length) };
  let isFirst = true;
  readWords(written, 0, (word, next) => {
    if (isFirst) split = { word, rest: phrase.subarray(next) };
    isFirst = false;
  });
  return split;
}
