/** A word, a number or a sign of money, where it stands. */
export interface Piece {
  readonly text: string;
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** A number and how many pieces it takes. */
export interface NumberMention {
  readonly value: number;
  /** The number before its magnitude: 2 of "2 million". */
  readonly bare: number;
  readonly length: number;
}

const PIECE = /[$€£]|\d[\d,]*(?:\.\d+)?|\p{L}+/gu;
const WRITTEN = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
/** Between pieces that belong together: blanks, a hyphen, the plus of "100+". */
const JOINT = /^[\s+-]{0,3}$/;
const SMALL: ReadonlyMap<string, number> = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen'
  )
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, at) => [word, (at + 2) * 10]),
);
const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['millions', 1e6],
  ['mln', 1e6],
  ['mn', 1e6],
  ['mm', 1e6],
  ['billion', 1e9],
  ['billions', 1e9],
  ['milliard', 1e9],
  ['milliards', 1e9],
  ['bn', 1e9],
  ['trillion', 1e12],
]);
/** Letters that are magnitudes where they stand right behind a number of money. */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['m', 1e6],
  ['b', 1e9],
]);

/** The words, numbers and signs of money of a text, in order. */
export function piecesOf(text: string): Piece[] {
  return Array.from(text.matchAll(PIECE), (match) => ({
    text: match[0],
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Whether nothing but blanks and hyphens stands between a piece and the one before it. */
export function isJoined(text: string, pieces: readonly Piece[], at: number): boolean {
  const [before, piece] = [pieces[at - 1], pieces[at]];
  if (!before || !piece) return false;
  const between = text.slice(before.end, piece.start);
  return JOINT.test(between) || (before.word === 'sq' && between === '. ');
}

/** The number at a piece, in digits or in words; `isMoney` lets single letters be magnitudes. */
export function numberAt(
  text: string,
  pieces: readonly Piece[],
  at: number,
  isMoney: boolean,
): NumberMention | undefined {
  const plain = digitsAt(pieces, at) ?? wordsAt(text, pieces, at);
  if (!plain || plain.value <= 0) return undefined;
  const magnitude = magnitudeAt(text, pieces, at + plain.length, isMoney);
  const { value: bare, length } = plain;
  return magnitude ? { value: bare * magnitude, bare, length: length + 1 } : { value: bare, bare, length };
}

/** The magnitude at a piece, joined to what stands before it. */
export function magnitudeAt(text: string, pieces: readonly Piece[], at: number, isMoney: boolean): number | undefined {
  const piece = pieces[at];
  if (!piece || !isJoined(text, pieces, at)) return undefined;
  const isAttached = pieces[at - 1]?.end === piece.start;
  return MAGNITUDES.get(piece.word) ?? (isMoney && isAttached ? LETTERS.get(piece.word) : undefined);
}

type PlainNumber = Omit<NumberMention, 'bare'>;

function digitsAt(pieces: readonly Piece[], at: number): PlainNumber | undefined {
  const text = pieces[at]?.text ?? '';
  return WRITTEN.test(text) ? { value: Number(text.replaceAll(',', '')), length: 1 } : undefined;
}

/** "twenty five", "two hundred", "half a" and "a" before a magnitude. */
function wordsAt(text: string, pieces: readonly Piece[], at: number): PlainNumber | undefined {
  const word = (offset: number) =>
    offset === 0 || isJoined(text, pieces, at + offset) ? (pieces[at + offset]?.word ?? '') : '';
  if (word(0) === 'half' && word(1) === 'a' && MAGNITUDES.has(word(2))) return { value: 0.5, length: 2 };
  if ((word(0) === 'a' || word(0) === 'one') && (MAGNITUDES.has(word(1)) || word(1) === 'hundred'))
    return hundreds({ value: 1, length: 1 }, word(1));
  const tens = TENS.get(word(0));
  const ones = SMALL.get(word(tens === undefined ? 0 : 1));
  if (tens === undefined && ones === undefined) return undefined;
  const isBoth = tens !== undefined && ones !== undefined && ones > 0 && ones < 10;
  const value = (tens ?? 0) + (tens === undefined || isBoth ? (ones ?? 0) : 0);
  const length = isBoth ? 2 : 1;
  return hundreds({ value, length }, word(length));
}

function hundreds({ value, length }: PlainNumber, next: string): PlainNumber {
  return next === 'hundred' ? { value: value * 100, length: length + 1 } : { value, length };
}
