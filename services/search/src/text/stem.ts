import { stem } from 'porter2';
import { STOP_WORDS } from './stop-words.ts';

/** Longer words are nobody's: Postgres leaves them as they are, and those of the second length out. In bytes of UTF-8. */
const LONGEST_STEMMED = 1000;
const TOO_LONG = 2047;

/** `added` and `eggings` keep both letters, which the package does not know yet. */
const KEPT_DOUBLE = /^([aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt))(?:ed|edly|ing|ingly)s?$/;
/** Letters of two UTF-16 units, each of which the package would take for two letters. */
const TWO_UNITS = /[\u{10000}-\u{10ffff}]/gu;
const STANDS_FOR_ONE = '\ue000';

/**
 * The lexeme of a word as `wordsOf` gives it: what Postgres' `english_stem` makes of it, which is Snowball's English (Porter
 * 2). Undefined: a stop word, which an index leaves out.
 */
export function lexemeOf(word: string): string | undefined {
  if (STOP_WORDS.has(word)) return undefined;
  if (bytesOf(word) > LONGEST_STEMMED) return word;
  const rare = word.match(TWO_UNITS);
  if (!rare) return KEPT_DOUBLE.exec(word)?.[1] ?? stem(word);
  return stem(word.replace(TWO_UNITS, STANDS_FOR_ONE)).replace(/\ue000/g, () => rare.shift() ?? '');
}

/**
 * The lexemes of the words of a text, position by position, as `to_tsvector('english', …)` of the words with a space between
 * gives them; undefined where a stop word stands. A word with a digit stays as it is. There may be more lexemes than words, since
 * Postgres reads `2e5model` as the number `2e5` and a word, or less, since a word of two thousand bytes has none and no
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

/** At most three bytes a UTF-16 unit, so that few words are measured. */
function bytesOf(word: string): number {
  return word.length * 3 <= LONGEST_STEMMED ? word.length : Buffer.byteLength(word);
}
