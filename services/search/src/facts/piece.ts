/** A word, number or currency sign with its offsets in the text. */
export interface Piece {
  readonly text: string;
  readonly word: string;
  readonly start: number;
  readonly end: number;
}
