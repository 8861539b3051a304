import { normalText } from '@ces/proto/normal-text';
import { isNumberOfName } from './numbers-of-names.ts';
import type { Piece } from './piece.ts';

/** A number may have blanks between groups of three digits, as in Canadian French; what has dots or commas is one piece, a number or not. */
const PIECE = /[$€£]|[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)*|\p{L}+/gu;
const GROUPED = /^\d+ \d/;
const UNACCENTED = /^[\x20-\x7e]*$/;
/** Between pieces that belong together: blanks, a hyphen, the plus of "100+". */
const JOINT = /^[\s+-]{0,3}$/;

/** The words, numbers and signs of money of a text, in order. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (piece: string) => {
    /* Between pieces stands nothing that one begins with. */
    const start = text.indexOf(piece, end);
    end = start + piece.length;
    pieces.push({ text: piece, word: plain(piece.toLowerCase()), start, end });
  };
  for (const piece of text.match(PIECE) ?? []) {
    add(piece);
    /* "In Q3 500 jobs": the first number is a name's. */
    if (!GROUPED.test(piece) || !isNumberOfName(text, pieces, pieces.length - 1)) continue;
    end -= piece.length;
    pieces.pop();
    for (const number of piece.split(' ')) add(number);
  }
  return pieces;
}

/** Without accents. */
function plain(word: string): string {
  return UNACCENTED.test(word) ? word : normalText(word, 'NFD').replace(/\p{M}/gu, '');
}

/** Whether nothing but blanks and hyphens stands between a piece and the one before it. */
export function isJoined(text: string, pieces: readonly Piece[], at: number): boolean {
  const [before, piece] = [pieces[at - 1], pieces[at]];
  if (!before || !piece) return false;
  const between = text.slice(before.end, piece.start);
  return JOINT.test(between) || (before.word === 'sq' && between === '. ');
}
