import type { Piece } from './piece.ts';

export interface Founding {
  readonly year: number;
  readonly length: number;
}

/** Excludes "formed" and "created", which often have another object. */
const BEGUN: ReadonlySet<string> = new Set(
  'founded established incorporated fondee fonde constituee etablie'.split(' '),
);
/** At most this many words precede the year: "was incorporated in the month of May 2014". */
const BETWEEN = 3;
const FIRST_YEAR = 1600;
const LAST_YEAR = 2100;

export function foundingAt(pieces: readonly Piece[], at: number): Founding | undefined {
  if (!BEGUN.has(pieces[at]?.word ?? '')) return undefined;
  for (let offset = 1; offset <= BETWEEN + 1; offset += 1) {
    const text = pieces[at + offset]?.text ?? '';
    const year = /^\d{4}$/.test(text) ? Number(text) : 0;
    if (year >= FIRST_YEAR && year <= LAST_YEAR) return { year, length: offset + 1 };
    if (/^\d/.test(text) && text.length > 2) return undefined;
  }
  return undefined;
}
