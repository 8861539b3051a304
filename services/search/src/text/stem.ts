import { stem } from 'porter2';
import { STOP_WORDS } from './stop-words.ts';

/** In bytes of UTF-8. Postgres does not stem longer words, and drops words of TOO_LONG. */
const LONGEST_STEMMED = 1000;
const TOO_LONG = 2047;

/** Snowball keeps the double consonant of `added` and `eggings`; the package does not yet. */
const KEPT_DOUBLE = /^([aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt))(?:ed|edly|ing|ingly)s?$/;
/** The package would read a surrogate pair as two letters. */
const TWO_UNITS = /[\u{10000}-\u{10ffff}]/gu;
const STANDS_FOR_ONE = '\ue000';

/** Postgres' `english_stem` of a word from `wordsOf` (Porter 2); undefined for a stop word. */
export function lexemeOf(word: string): string | undefined {
  if (STOP_WORDS.has(word)) return undefined;
  if (bytesOf(word) > LONGEST_STEMMED) return word;
  const rare = word.match(TWO_UNITS);
  if (!rare) return KEPT_DOUBLE.exec(word)?.[1] ?? stem(word);
  return stem(word.replace(TWO_UNITS, STANDS_FOR_ONE)).replace(/\ue000/g, () => rare.shift() ?? '');
}

/** The lexeme of a single word from `wordsOf`; undefined for a stop word. */
export function lexemeOfWord(word: string): string | undefined {
  return /\d/.test(word) ? word : lexemeOf(word);
}

/**
 * Like `to_tsvector('english', …)`; a stop word is undefined. Lengths can differ: Postgres splits
 * `2e5model` into `2e5` and a word, and words of TOO_LONG bytes get no position.
 */
export function lexemesOfText(words: readonly string[]): (string | undefined)[] {
  return words.flatMap((word) =>
    /\d/.test(word) ? lexemesWithDigits(word) : bytesOf(word) < TOO_LONG ? [lexemeOf(word)] : [],
  );
}

function lexemesWithDigits(word: string): (string | undefined)[] {
  const [number] = /^\d+e\d+/.exec(word) ?? [];
  if (number === undefined || number === word) return bytesOf(word) < TOO_LONG ? [word] : [];
  return [...lexemesOfText([number]), ...lexemesOfText([word.slice(number.length)])];
}

/** A UTF-16 unit is at most three bytes of UTF-8, so few words need a byte count. */
function bytesOf(word: string): number {
  return word.length * 3 <= LONGEST_STEMMED ? word.length : Buffer.byteLength(word);
}
