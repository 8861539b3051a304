import { mayBeginNumber, type NumberMention, numberAt } from './numbers.ts';
import type { Piece } from './piece.ts';
import { isJoined } from './pieces.ts';
import { isRateAt } from './rates.ts';

export interface MoneyAmount extends NumberMention {
  readonly start: number;
  readonly isSaid: boolean;
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
const PARTITIVE = 'de';
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

const BEFORE: ReadonlySet<string> = new Set([...SIGNS, ...CURRENCIES, ...BEFORE_SIGNS]);

export function mayBeginMoney(piece: Piece | undefined): boolean {
  return BEFORE.has(piece?.word ?? '') || mayBeginNumber(piece);
}

export function moneyAt(text: string, pieces: readonly Piece[], at: number): MoneyAmount | undefined {
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

/** A year is neither a count in "2015 hotels opened" nor an amount in "(2023 dollars)". */
export function isYear(written: string): boolean {
  return /^\d{4}$/.test(written) && Number(written) >= FIRST_YEAR && Number(written) <= LAST_YEAR;
}

function openingAt(text: string, pieces: readonly Piece[], at: number): number {
  const word = pieces[at]?.word ?? '';
  if (SIGNS.has(word)) return 1;
  if (!BEFORE_SIGNS.has(word) && !CURRENCIES.has(word)) return 0;
  if (SIGNS.has(pieces[at + 1]?.word ?? '') && isJoined(text, pieces, at + 1)) return 2;
  return CURRENCIES.has(word) && isJoined(text, pieces, at + 1) ? 1 : 0;
}

function closingAt(text: string, pieces: readonly Piece[], at: number): number {
  const isNext = (offset: number) => isJoined(text, pieces, at + offset);
  const word = (offset: number) => pieces[at + offset]?.word ?? '';
  if (!isNext(0)) return 0;
  /* The sign in "two $5 million rounds" belongs to the next number. */
  const opensAnother = pieces[at]?.end === pieces[at + 1]?.start && /^\d/.test(word(1));
  if (SIGNS.has(word(0)) && opensAnother) return 0;
  if (CURRENCIES.has(word(0)) || SIGNS.has(word(0))) return 1;
  const isQualified = [PARTITIVE, 'us', 'canadian', 'american'].includes(word(0));
  return isQualified && isNext(1) && CURRENCIES.has(word(1)) ? 2 : 0;
}
