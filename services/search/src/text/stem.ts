import { stem } from 'porter2';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Lengths are in bytes of UTF-8. Postgres does not stem longer words, and drops words of TOO_LONG
 * bytes.
 */
const LONGEST_STEMMED = 1000;
const TOO_LONG = 2047;

/** Snowball keeps the double consonant of `added` and `eggings`; the package does not yet. */
const KEPT_DOUBLE = /^([aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt))(?:ed|edly|ing|ingly)s?$/;
/** The package would read a surrogate pair as two letters. */
const TWO_UNITS = /[\u{10000}-\u{10ffff}]/gu;
const STANDS_FOR_ONE = '\ue000';

/**
 * Returns the lexeme of a word from `wordsOf`, as Postgres' `english_stem` does: Snowball's English
 * stemmer (Porter 2). Returns undefined for a stop word.
 */
export function lexemeOf(word: string): string | undefined {
  if (STOP_WORDS.has(word)) return undefined;
  if (bytesOf(word) > LONGEST_STEMMED) return word;
  const rare = word.match(TWO_UNITS);
  if (!rare) return KEPT_DOUBLE.exec(word)?.[1] ?? stem(word);
  return stem(word.replace(TWO_UNITS, STANDS_FOR_ONE)).replace(/\ue000/g, () => rare.shift() ?? '');
}

/**
 * Returns lexemes by position, as `to_tsvector('english', …)` does for the words joined by spaces.
 * A stop word is undefined, and a word with a digit stays unchanged. The lengths can differ:
 * Postgres splits `2e5model` into the number `2e5` and a word. Words of TOO_LONG bytes get no
 * position.
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
