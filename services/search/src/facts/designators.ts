export interface Designator {
  /** Noun and letter joined: as separate words, the index drops "a" and matches "c" anywhere. */
  readonly word: string;
  readonly at: number;
}

export interface WrittenWord {
  readonly text: string;
  readonly word: string;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** A letter after these nouns is a designator in either case. */
const CERTAIN: ReadonlySet<string> = new Set([
  'series',
  'vitamin',
  'hepatitis',
  'hemophilia',
  'haemophilia',
  'influenza',
]);
/** A letter after these nouns must be a capital: "plan a move" names no plan A. */
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

export function writtenWords(text: string): WrittenWord[] {
  return (text.match(WORD) ?? []).map((written) => ({ text: written, word: written.toLowerCase() }));
}

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
