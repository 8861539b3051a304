import type { Piece } from './piece.ts';
import { isJoined } from './pieces.ts';
import { writtenNumber } from './written-numbers.ts';

export interface NumberMention {
  readonly value: number;
  /** Excludes the magnitude: 2 of "2 million". */
  readonly bare: number;
  readonly magnitude: number;
  readonly length: number;
}

const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const SMALL: ReadonlyMap<string, number> = new Map([
  ...(
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen'
  )
    .split(' ')
    .map((word, value): [string, number] => [word, value]),
  /* "Sept" is left out: it is the month more often than seven. */
  ...Object.entries({ deux: 2, trois: 3, quatre: 4, cinq: 5, huit: 8, neuf: 9, dix: 10, onze: 11, douze: 12 }),
  ['dozen', 12],
  ['quinze', 15],
]);
const TENS: ReadonlyMap<string, number> = new Map(
  [
    'twenty vingt',
    'thirty trente',
    'forty quarante',
    'fifty cinquante',
    'sixty soixante',
    'seventy',
    'eighty',
    'ninety',
  ].flatMap((names, at) => names.split(' ').map((name): [string, number] => [name, (at + 2) * 10])),
);
const FRENCH_NUMBERS: ReadonlySet<string> = new Set(
  'deux trois quatre cinq huit neuf dix onze douze quinze cent'.split(' '),
);
/** After these, "cents" means hundreds; after English numbers it means money. */
const FRENCH: ReadonlySet<string> = new Set('cent deux trois quatre cinq sept huit neuf'.split(' '));
const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['mille', 1e3],
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
  ['trillions', 1e12],
  ['tn', 1e12],
]);
const SIGNS: ReadonlySet<string> = new Set(['$', '€', '£']);
/** Magnitudes directly after a number of money or before its sign: "5 M$". */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['m', 1e6],
  ['b', 1e9],
  ['t', 1e12],
]);
const CAPITALS: ReadonlySet<string> = new Set(['M', 'B']);
const BEFORE_SIGN: ReadonlyMap<string, number> = new Map([
  ['g', 1e9],
  ['md', 1e9],
  ['mds', 1e9],
]);

const FIRST_WORDS: ReadonlySet<string> = new Set([
  'half',
  'a',
  'quarter',
  'one',
  'cent',
  ...SMALL.keys(),
  ...TENS.keys(),
]);

export function mayBeginNumber(piece: Piece | undefined): piece is Piece {
  if (!piece) return false;
  const first = piece.text.charCodeAt(0);
  return (first >= DIGIT_ZERO && first <= DIGIT_NINE) || FIRST_WORDS.has(piece.word);
}

export function numberAt(
  text: string,
  pieces: readonly Piece[],
  at: number,
  isMoney: boolean,
): NumberMention | undefined {
  if (!mayBeginNumber(pieces[at])) return undefined;
  const plain = digitsAt(pieces, at) ?? wordsAt(text, pieces, at);
  if (!plain || plain.value <= 0) return undefined;
  const magnitude = magnitudeAt(text, pieces, at + plain.length, isMoney);
  const { value: bare, length } = plain;
  return { value: bare * (magnitude ?? 1), bare, magnitude: magnitude ?? 1, length: length + (magnitude ? 1 : 0) };
}

export function magnitudeAt(text: string, pieces: readonly Piece[], at: number, isMoney: boolean): number | undefined {
  const piece = pieces[at];
  if (!piece || !isJoined(text, pieces, at)) return undefined;
  const known = MAGNITUDES.get(piece.word);
  if (known || !isMoney) return known;
  const isBeforeSign = isSignBehind(text, pieces, at);
  const isAttached = pieces[at - 1]?.end === piece.start || CAPITALS.has(piece.text);
  return (
    (isBeforeSign ? BEFORE_SIGN.get(piece.word) : undefined) ??
    (isBeforeSign || isAttached ? LETTERS.get(piece.word) : undefined)
  );
}

function isSignBehind(text: string, pieces: readonly Piece[], at: number): boolean {
  const [piece, sign, next] = [pieces[at], pieces[at + 1], pieces[at + 2]];
  if (!piece || !sign || !SIGNS.has(sign.text)) return false;
  if (sign.start === piece.end) return true;
  const opensAnother = sign.end === next?.start && /^\d/.test(next.text);
  return !opensAnother && isJoined(text, pieces, at + 1);
}

type PlainNumber = Pick<NumberMention, 'value' | 'length'>;

function digitsAt(pieces: readonly Piece[], at: number): PlainNumber | undefined {
  const value = writtenNumber(pieces[at]?.text ?? '');
  return value === undefined ? undefined : { value, length: 1 };
}

/** Reads "twenty five", "two hundred and fifty", and "half a" before a magnitude. */
function wordsAt(text: string, pieces: readonly Piece[], at: number): PlainNumber | undefined {
  const word = (offset: number) =>
    offset === 0 || isJoined(text, pieces, at + offset) ? (pieces[at + offset]?.word ?? '') : '';
  if (word(0) === 'half' && word(1) === 'a' && MAGNITUDES.has(word(2))) return { value: 0.5, length: 2 };
  if (word(0) === 'half' && MAGNITUDES.has(word(1))) return { value: 0.5, length: 1 };
  const quarter = word(0) === 'a' ? 1 : 0;
  const isOf = word(quarter + 1) === 'of' && word(quarter + 2) === 'a' ? 2 : 0;
  if (word(quarter) === 'quarter' && MAGNITUDES.has(word(quarter + 1 + isOf)))
    return { value: 0.25, length: quarter + 1 + isOf };
  const isOne = word(0) === 'a' || word(0) === 'one';
  if (isOne && (MAGNITUDES.has(word(1)) || word(1) === 'hundred')) return hundreds({ value: 1, length: 1 }, word);
  if (isFrenchName(text, pieces, at)) return undefined;
  const small = belowHundred(word, 0);
  if (!small) return word(0) === 'cent' ? hundreds({ value: 1, length: 0 }, word) : undefined;
  return withHalf(hundreds(small, word), word);
}

/** Next to a capitalised word it is a name: "Trois-Rivières", "Fort Dix". */
function isFrenchName(text: string, pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  if (!piece || !FRENCH_NUMBERS.has(piece.word) || !/^\p{Lu}/u.test(piece.text)) return false;
  const [before, next] = [pieces[at - 1], pieces[at + 1]];
  const isAfterName = before !== undefined && /^\p{Lu}\p{Ll}/u.test(before.text) && isJoined(text, pieces, at);
  return isAfterName || (text[piece.end] === '-' && /^\p{Lu}/u.test(next?.text ?? ''));
}

function belowHundred(word: (offset: number) => string, at: number): PlainNumber | undefined {
  const tens = TENS.get(word(at));
  const ones = SMALL.get(word(tens === undefined ? at : at + 1));
  if (tens === undefined && ones === undefined) return undefined;
  const isBoth = tens !== undefined && ones !== undefined && ones > 0 && ones < 10;
  return { value: (tens ?? 0) + (tens === undefined || isBoth ? (ones ?? 0) : 0), length: isBoth ? 2 : 1 };
}

function hundreds({ value, length }: PlainNumber, word: (offset: number) => string): PlainNumber {
  const isHundred = word(length) === 'hundred' || (/^cents?$/.test(word(length)) && FRENCH.has(word(0)));
  if (!isHundred) return { value, length };
  const joint = word(length + 1) === 'and' ? 1 : 0;
  const rest = belowHundred(word, length + 1 + joint);
  /* "one hundred and three hundred" contains two numbers. */
  if (!rest || word(length + 1 + joint + rest.length) === 'hundred') return { value: value * 100, length: length + 1 };
  return { value: value * 100 + rest.value, length: length + 1 + joint + rest.length };
}

function withHalf({ value, length }: PlainNumber, word: (offset: number) => string): PlainNumber {
  const isHalf = word(length) === 'and' && word(length + 1) === 'a' && word(length + 2) === 'half';
  return isHalf && MAGNITUDES.has(word(length + 3)) ? { value: value + 0.5, length: length + 3 } : { value, length };
}
