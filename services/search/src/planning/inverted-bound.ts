import type { Piece } from '../facts/piece.ts';
import { isJoined } from '../facts/pieces.ts';
import type { Bound } from './comparisons.ts';

/** Negate an amount: "not farms over $100 million", "excluding rounds under $1 million". */
const NEGATING: ReadonlySet<string> = new Set(
  'not no none nothing never except excluding excludes exclude skip ignore sauf pas hors excluant'.split(' '),
);
/** Words between a negation and the comparison. None may begin another condition. */
const NEGATED = 3;
const ENDING_NEGATION: ReadonlySet<string> = new Set('in at from with by for on near only just since dans'.split(' '));
export const INVERTED_BOUND: Readonly<Record<Bound, Bound>> = {
  above: 'most',
  least: 'below',
  below: 'least',
  most: 'above',
  around: 'around',
};

export function isTooMuchAt(query: string, pieces: readonly Piece[], at: number): boolean {
  const isSaid = ['is', 'are'].includes(pieces[at]?.word ?? '') && pieces[at + 1]?.word === 'too';
  return isSaid && isJoined(query, pieces, at) && isJoined(query, pieces, at + 1);
}

export function negationBefore(query: string, pieces: readonly Piece[], at: number, kept: number): Piece | undefined {
  for (let back = 1; back <= NEGATED + 1; back += 1) {
    const piece = pieces[at - back];
    if (!piece || piece.start < kept || !isJoined(query, pieces, at - back + 1)) return undefined;
    /* In "no-till farms" and "with no debt over" the negation belongs to the noun. */
    if (query[piece.end] === '-' || pieces[at - back - 1]?.word === 'with') return undefined;
    if (NEGATING.has(piece.word)) return piece;
    if (ENDING_NEGATION.has(piece.word)) return undefined;
  }
  return undefined;
}
