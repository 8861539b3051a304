import type { Piece } from '../facts/numbers.ts';

/** How what is looked for compares with an amount. */
export type Bound = 'above' | 'least' | 'below' | 'most' | 'around';

/** Words before an amount, the longest first where one begins another. */
const BEFORE: readonly (readonly [string, Bound])[] = [
  ['no less than', 'least'],
  ['not less than', 'least'],
  ['no fewer than', 'least'],
  ['no more than', 'most'],
  ['not more than', 'most'],
  ['not exceeding', 'most'],
  ['more than', 'above'],
  ['greater than', 'above'],
  ['larger than', 'above'],
  ['bigger than', 'above'],
  ['north of', 'above'],
  ['upwards of', 'above'],
  ['in excess of', 'above'],
  ['plus de', 'above'],
  ['over', 'above'],
  ['above', 'above'],
  ['beyond', 'above'],
  ['exceeding', 'above'],
  ['at least', 'least'],
  ['a minimum of', 'least'],
  ['minimum of', 'least'],
  ['minimum', 'least'],
  ['au moins', 'least'],
  ['less than', 'below'],
  ['fewer than', 'below'],
  ['smaller than', 'below'],
  ['lower than', 'below'],
  ['moins de', 'below'],
  ['under', 'below'],
  ['below', 'below'],
  ['at most', 'most'],
  ['up to', 'most'],
  ['a maximum of', 'most'],
  ['maximum of', 'most'],
  ['maximum', 'most'],
  ['around', 'around'],
  ['about', 'around'],
  ['roughly', 'around'],
  ['approximately', 'around'],
  ['nearly', 'around'],
  ['almost', 'around'],
  ['close to', 'around'],
  ['environ', 'around'],
];
/** Words behind an amount. */
const BEHIND: readonly (readonly [string, Bound])[] = [
  ['or more', 'least'],
  ['or above', 'least'],
  ['or larger', 'least'],
  ['and more', 'least'],
  ['and up', 'least'],
  ['and above', 'least'],
  ['plus', 'least'],
  ['or less', 'most'],
  ['or fewer', 'most'],
  ['or below', 'most'],
  ['and under', 'most'],
];

/** A comparison and how many pieces it takes. */
export interface Comparison {
  readonly bound: Bound;
  readonly length: number;
}

/** The comparison in words that an amount follows. */
export function comparisonBefore(pieces: readonly Piece[], at: number): Comparison | undefined {
  return comparisonAt(pieces, at, BEFORE);
}

/** The comparison in words behind an amount. */
export function comparisonBehind(pieces: readonly Piece[], at: number): Comparison | undefined {
  return comparisonAt(pieces, at, BEHIND);
}

function comparisonAt(pieces: readonly Piece[], at: number, bounds: typeof BEFORE): Comparison | undefined {
  for (const [phrase, bound] of bounds) {
    const words = phrase.split(' ');
    if (words.every((word, offset) => pieces[at + offset]?.word === word)) return { bound, length: words.length };
  }
  return undefined;
}
