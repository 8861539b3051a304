/** A noun and the letter or number that says which one, as in "Series A", "Class C", "Phase III". */
export interface Designator {
  /** Both as one word, by which it is found: an index leaves "a" out, and finds "c" in any place. */
  readonly word: string;
  /** Where the noun stands among the words. */
  readonly at: number;
}

/** A word as written. */
export interface WrittenWord {
  readonly text: string;
  readonly word: string;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Nouns that have a letter behind them whatever its case. */
const CERTAIN: ReadonlySet<string> = new Set([
  'series',
  'vitamin',
  'hepatitis',
  'hemophilia',
  'haemophilia',
  'influenza',
]);
/** Nouns that have one where it is a capital: "plan a move" names no plan A. */
const CAPITAL: ReadonlySet<string> = new Set(
  'class type plan group grade category schedule level tier building block annex appendix option phase zone form part'.split(
    ' ',
  ),
);
const ROMAN: ReadonlyMap<string, string> = new Map([
  ['i', '1'],
  ['ii', '2'],
  ['iii', '3'],
  ['iv', '4'],
]);

/** The words of a text as they are written. */
export function writtenWords(text: string): WrittenWord[] {
  return (text.match(WORD) ?? []).map((written) => ({ text: written, word: written.toLowerCase() }));
}

/** Finds nouns with their letter, and phases by their number, which some write in Roman ones. */
export function findDesignators(words: readonly WrittenWord[]): Designator[] {
  return words.flatMap(({ word }, at) => {
    const which = words[at + 1];
    const designator = which && designatorOf(word, which);
    return designator ? { word: designator, at } : [];
  });
}

function designatorOf(noun: string, { text, word }: WrittenWord): string | undefined {
  if (noun === 'phase' && (ROMAN.has(word) || /^[1-4]$/.test(word))) return `phase${ROMAN.get(word) ?? word}`;
  if (!/^[a-h]$/.test(word)) return undefined;
  const isLetter = CERTAIN.has(noun) || (CAPITAL.has(noun) && text !== word);
  return isLetter ? `${noun}${word}` : undefined;
}
