import type { Piece } from '../facts/piece.ts';

export type Bound = 'above' | 'least' | 'below' | 'most' | 'around';

const BEFORE = boundsOf({
  above:
    'more than, greater than, larger than, bigger than, higher than, north of, upwards of, in excess of, over, above, beyond, ' +
    'exceeding, exceeds, exceed, exceeded, surpassing, topping, plus de, de plus de, superieur a, superieure a, superieurs a, ' +
    'superieures a, au dela de, depassant',
  least:
    'no less than, not less than, no fewer than, not fewer than, no smaller than, no lower than, at least, at the least, ' +
    'a minimum of, minimum of, minimum, min, starting at, starting from, au moins, d au moins, au minimum, minimum de',
  below:
    'less than, fewer than, smaller than, lower than, under, below, beneath, sub, moins de, de moins de, inferieur a, inferieure a, ' +
    'inferieurs a, inferieures a, en dessous de',
  most:
    'no more than, not more than, no greater than, no larger than, no bigger than, no higher than, not exceeding, ' +
    'not to exceed, at most, at the most, up to, a maximum of, maximum of, maximum, max, capped at, limited to, au plus, ' +
    'au maximum, maximum de, jusqu a, jusque, pas plus de, ne depassant pas',
  around:
    'around, about, roughly, approximately, approx, circa, some, nearly, almost, close to, environ, autour de, pres de',
});
const AFTER = boundsOf({
  least:
    'or more, or above, or larger, or greater, or higher, or bigger, or over, or better, and more, and up, and above, and over, ' +
    'and higher, plus, upwards, and upwards, at least, at the least, at a minimum, at minimum, minimum, ou plus, et plus, au moins, ' +
    'au minimum',
  most:
    'or less, or fewer, or below, or under, or smaller, or lower, and under, and below, and less, at most, at the most, ' +
    'at a maximum, at maximum, maximum, max, tops, ou moins, et moins, au plus, au maximum',
  around: 'or so, or thereabouts, environ',
});

export interface Comparison {
  readonly bound: Bound;
  readonly length: number;
}

export function comparisonBefore(pieces: readonly Piece[], at: number): Comparison | undefined {
  return comparisonAt(pieces, at, BEFORE);
}

export function comparisonAfter(pieces: readonly Piece[], at: number): Comparison | undefined {
  return comparisonAt(pieces, at, AFTER);
}

function comparisonAt(pieces: readonly Piece[], at: number, bounds: Bounds): Comparison | undefined {
  for (const [words, bound] of bounds.get(pieces[at]?.word ?? '') ?? [])
    if (words.every((word, offset) => pieces[at + offset]?.word === word)) return { bound, length: words.length };
  return undefined;
}

type Bounds = ReadonlyMap<string, readonly (readonly [readonly string[], Bound])[]>;

function boundsOf(phrases: Partial<Record<Bound, string>>): Bounds {
  const all = Object.entries(phrases).flatMap(([bound, listed]) =>
    listed.split(', ').map((phrase) => [phrase.split(' '), bound as Bound] as const),
  );
  const longestFirst = all.toSorted(([a], [b]) => b.length - a.length);
  return Map.groupBy(longestFirst, ([words]) => words[0] ?? '');
}
