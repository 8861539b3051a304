export interface Piece {
  readonly text: string;
  readonly word: string;
  readonly start: number;
  readonly end: number;
}
