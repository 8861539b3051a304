import { mayBegin, type NumberMention, numberAt } from './numbers.ts';
import type { Piece } from './piece.ts';
import { isJoined } from './pieces.ts';
import { isRateAt } from './rates.ts';

/** A number that may be one of money: in dollars of whichever country. */
export interface Sum extends NumberMention {
  readonly start: number;
  /** Whether a sign or a currency says that it is money. */
  readonly isSaid: boolean;
  /** Whether it is a price of one of something, which says nothing about a company. */
  readonly isRate: boolean;
}

const SIGNS: ReadonlySet<string> = new Set(['$', '€', '£']);
const CURRENCIES: ReadonlySet<string> = new Set([
  'usd',
  'cad',
  'eur',
  'gbp',
  'dollars',
  'dollar',
  'euros',
  'euro',
  'pounds',
]);
const BEFORE_SIGNS: ReadonlySet<string> = new Set(['us', 'usd', 'c', 'ca', 'cad', 'cdn', 'a']);
/** Of "10 millions de dollars". */
const PARTITIVE = 'de';
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

const BEFORE: ReadonlySet<string> = new Set([...SIGNS, ...CURRENCIES, ...BEFORE_SIGNS]);

/** Whether an amount may begin at a piece: most pieces are words that none begins with. */
export function mayBeginAmount(piece: Piece | undefined): boolean {
  return BEFORE.has(piece?.word ?? '') || mayBegin(piece);
}

/** The number at a piece with the signs and currencies around it. */
export function sumAt(text: string, pieces: readonly Piece[], at: number): Sum | undefined {
  const opening = openingAt(text, pieces, at);
  const number = numberAt(text, pieces, at + opening, true);
  if (!number) return undefined;
  const behind = at + opening + number.length;
  const closing = closingAt(text, pieces, behind);
  const end = behind + closing;
  const isDate = opening === 0 && isYear(pieces[at]?.text ?? '') && number.length === 1;
  return {
    ...number,
    start: at,
    length: end - at,
    isSaid: opening + closing > 0 && !isDate,
    isRate: isRateAt(text, pieces, end),
  };
}

/** "2015 hotels opened" counts none, "(2023 dollars)" is no amount. */
export function isYear(written: string): boolean {
  return /^\d{4}$/.test(written) && Number(written) >= FIRST_YEAR && Number(written) <= LAST_YEAR;
}

/** Pieces of "$", "US$", "USD" and "USD $" before a number. */
function openingAt(text: string, pieces: readonly Piece[], at: number): number {
  const word = pieces[at]?.word ?? '';
  if (SIGNS.has(word)) return 1;
  if (!BEFORE_SIGNS.has(word) && !CURRENCIES.has(word)) return 0;
  if (SIGNS.has(pieces[at + 1]?.word ?? '') && isJoined(text, pieces, at + 1)) return 2;
  return CURRENCIES.has(word) && isJoined(text, pieces, at + 1) ? 1 : 0;
}

/** Pieces of "dollars", "US dollars", "USD", "$" and "de dollars" behind a number. */
function closingAt(text: string, pieces: readonly Piece[], at: number): number {
  const isNext = (offset: number) => isJoined(text, pieces, at + offset);
  const word = (offset: number) => pieces[at + offset]?.word ?? '';
  if (!isNext(0)) return 0;
  /* The sign of "two $5 million rounds" belongs to what is behind it. */
  const opensAnother = pieces[at]?.end === pieces[at + 1]?.start && /^\d/.test(word(1));
  if (SIGNS.has(word(0)) && opensAnother) return 0;
  if (CURRENCIES.has(word(0)) || SIGNS.has(word(0))) return 1;
  const isQualified = [PARTITIVE, 'us', 'canadian', 'american'].includes(word(0));
  return isQualified && isNext(1) && CURRENCIES.has(word(1)) ? 2 : 0;
}
