import { characterOf, REFERENCE } from './character-references.ts';
import { normalText } from './normal-text.ts';

export interface FoldedText {
  readonly text: string;
  /**
   * Maps a span of the folded text to the original, in UTF-16 units and whole characters; `end` is
   * exclusive.
   */
  readonly spanOf: (start: number, end: number) => { readonly start: number; readonly end: number };
}

/** Matches a text that folding leaves unchanged: ASCII without controls and escapes. */
const PLAIN = /^[\t\n\v\f\r\x20-\x24\x27-\x5b\x5d-\x7e]*$/;
const HIDDEN = /[^\P{Cc}\t\n\v\f\r]|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const PIECE = /[^\p{M}][\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]*|\p{M}+/gsu;
const DASH = /[\u2010-\u2015\u2043\u2212]/g;
const MIDDLE_POINT = /[\u2022\u2027\u2219\u22c5\u30fb]/g;

/**
 * Folds equivalent spellings into one, for search: NFKC, one hyphen, one middle dot, decoded
 * references (`&#64;`, `%40`), no invisible characters.
 */
export function foldText(text: string): FoldedText {
  if (PLAIN.test(text)) return same(text);
  return refolded(text, [...piecesOf(text)]);
}

/** `length` counts UTF-16 units of the original. */
export interface FoldedPiece {
  readonly folded: string;
  readonly length: number;
}

/** The pieces must cover the whole text. */
export function refolded(text: string, pieces: readonly FoldedPiece[]): FoldedText {
  const result = pieces.map(({ folded }) => folded).join('');
  return result === text ? same(text) : { text: result, spanOf: spanFinder(text, pieces, result.length) };
}

function same(text: string): FoldedText {
  return { text, spanOf: (start, end) => ({ start, end }) };
}

function* piecesOf(text: string): Generator<FoldedPiece> {
  let from = 0;
  for (const { index, 0: reference } of text.matchAll(REFERENCE)) {
    const character = characterOf(reference);
    if (character === undefined) continue;
    yield* piecesBetween(text.slice(from, index));
    yield { folded: foldPiece(character), length: reference.length };
    from = index + reference.length;
  }
  yield* piecesBetween(text.slice(from));
}

function* piecesBetween(text: string): Generator<FoldedPiece> {
  if (PLAIN.test(text)) {
    for (const character of text) yield { folded: character, length: 1 };
    return;
  }
  for (const [piece] of text.matchAll(PIECE)) yield { folded: foldPiece(piece), length: piece.length };
}

function foldPiece(piece: string): string {
  if (piece.length === 1 && piece > '\x1f' && piece < '\x7f') return piece;
  const folded = normalText(piece.replace(HIDDEN, ''), 'NFKC').replace(DASH, '-').replace(MIDDLE_POINT, '\u00b7');
  // A digit with an enclosing or overlaid mark stays a digit.
  return /^[\p{N}\p{P}\p{S}]/u.test(folded) ? folded.replace(/\p{M}+/gu, '') : folded;
}

/**
 * Folding may change the number of UTF-16 units, so this maps each folded unit to its original
 * span.
 */
function spanFinder(text: string, pieces: readonly FoldedPiece[], length: number): FoldedText['spanOf'] {
  const starts = new Uint32Array(length);
  const ends = new Uint32Array(length);
  let at = 0;
  let given = 0;
  for (const piece of pieces) {
    const next = given + piece.length;
    starts.fill(given, at, at + piece.folded.length);
    ends.fill(next, at, at + piece.folded.length);
    at += piece.folded.length;
    given = next;
  }
  return (start, end) => ({ start: starts[start] ?? text.length, end: ends[end - 1] ?? text.length });
}
