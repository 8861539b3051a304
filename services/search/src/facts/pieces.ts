import { normalText } from '@ces/proto/normal-text';
import { isNumberOfName } from './numbers-of-names.ts';
import type { Piece } from './piece.ts';

/** Canadian French groups digits by spaces. Digits with dots or commas form one piece. */
const PIECE = /[$€£]|[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)*|\p{L}+/gu;
const GROUPED = /^\d+ \d/;
const UNACCENTED = /^[\x20-\x7e]*$/;
const JOINT = /^[\s+-]{0,3}$/;

export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (piece: string) => {
    /* The text between two pieces contains no piece, so the first match is the right one. */
    const start = text.indexOf(piece, end);
    end = start + piece.length;
    pieces.push({ text: piece, word: plain(piece.toLowerCase()), start, end });
  };
  for (const piece of text.match(PIECE) ?? []) {
    add(piece);
    /* In "In Q3 500 jobs" the first number belongs to a name. */
    if (!GROUPED.test(piece) || !isNumberOfName(text, pieces, pieces.length - 1)) continue;
    end -= piece.length;
    pieces.pop();
    for (const number of piece.split(' ')) add(number);
  }
  return pieces;
}

function plain(word: string): string {
  return UNACCENTED.test(word) ? word : normalText(word, 'NFD').replace(/\p{M}/gu, '');
}

export function isJoined(text: string, pieces: readonly Piece[], at: number): boolean {
  const [before, piece] = [pieces[at - 1], pieces[at]];
  if (!before || !piece) return false;
  const between = text.slice(before.end, piece.start);
  return JOINT.test(between) || (before.word === 'sq' && between === '. ');
}
