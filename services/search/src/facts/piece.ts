/** A word, a number or a sign of money, where it stands. */
export interface Piece {
  readonly text: string;
  readonly word: string;
  readonly start: number;
  readonly end: number;
}
