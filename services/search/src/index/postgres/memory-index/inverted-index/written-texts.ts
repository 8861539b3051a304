import type { Lexicon } from './lexicon.ts';

/**
 * Words by their lexicon numbers, seven bits a byte, lowest first; only the last byte is below 128.
 * The byte 0 separates parts of a text.
 */
export interface WrittenTexts {
  readonly bytes: Uint8Array;
  /** The text at `n` begins at `starts[n]` and ends at `starts[n + 1]`. */
  readonly starts: Uint32Array;
}

export type WrittenPhrase = Uint8Array;

const SEPARATOR = 0;
const CONTINUES = 0x80;
const BITS = 7;
const FIRST_LENGTH = 4096;

export class WrittenTextsBuilder {
  readonly #lexicon: Lexicon;
  readonly #starts = [0];
  #bytes = new Uint8Array(FIRST_LENGTH);
  #size = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  add(parts: readonly string[]): void {
    for (const [at, part] of parts.entries()) {
      if (at > 0) this.#push(SEPARATOR);
      for (const word of part.split(' ')) if (word !== '') pushNumber(this.#lexicon.add(word), this.#push);
    }
    this.#starts.push(this.#size);
  }

  build(): WrittenTexts {
    return { bytes: this.#bytes.slice(0, this.#size), starts: Uint32Array.from(this.#starts) };
  }

  readonly #push = (byte: number): void => {
    if (this.#size === this.#bytes.length) {
      const larger = new Uint8Array(this.#size * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#size] = byte;
    this.#size += 1;
  };
}

/** Returns undefined if no text has one of the words. */
export function writtenPhrase(lexicon: Lexicon, words: readonly string[]): WrittenPhrase | undefined {
  const bytes: number[] = [];
  for (const word of words) {
    const number = lexicon.numberOf(word);
    if (number === undefined) return undefined;
    pushNumber(number, (byte) => bytes.push(byte));
  }
  return Uint8Array.from(bytes);
}

export function hasPhrase(
  { bytes, starts }: WrittenTexts,
  at: number,
  phrase: WrittenPhrase,
  inFirst = false,
): boolean {
  const start = starts[at] ?? 0;
  const last = (starts[at + 1] ?? 0) - phrase.length;
  const first = phrase[0];
  for (let from = start; from <= last; from += 1) {
    if (inFirst && bytes[from] === SEPARATOR) return false;
    if (bytes[from] !== first || (from > start && (bytes[from - 1] ?? 0) >= CONTINUES)) continue;
    let same = 1;
    while (same < phrase.length && bytes[from + same] === phrase[same]) same += 1;
    if (same === phrase.length) return true;
  }
  return false;
}

/** Calls `take` with each word's number and the position after it. */
export function readWords(
  { bytes, starts }: WrittenTexts,
  at: number,
  take: (word: number, next: number) => void,
  inFirst = false,
): void {
  const end = starts[at + 1] ?? 0;
  let [word, shift] = [0, 0];
  for (let from = starts[at] ?? 0; from < end; from += 1) {
    const byte = bytes[from] ?? 0;
    if (byte === SEPARATOR && inFirst) return;
    word |= (byte & (CONTINUES - 1)) << shift;
    shift += BITS;
    if (byte >= CONTINUES) continue;
    take(word, from + 1);
    [word, shift] = [0, 0];
  }
}

export function mergeWrittenTexts(parts: readonly WrittenTexts[]): WrittenTexts {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes.length, 0));
  const starts = new Uint32Array(1 + parts.reduce((sum, part) => sum + part.starts.length - 1, 0));
  let [from, at] = [0, 0];
  for (const part of parts) {
    bytes.set(part.bytes, from);
    for (let one = 1; one < part.starts.length; one += 1) starts[++at] = from + (part.starts[one] ?? 0);
    from += part.bytes.length;
  }
  return { bytes, starts };
}

function pushNumber(number: number, push: (byte: number) => void): void {
  let rest = number;
  for (; rest >= CONTINUES; rest >>>= BITS) push((rest & (CONTINUES - 1)) | CONTINUES);
  push(rest);
}
