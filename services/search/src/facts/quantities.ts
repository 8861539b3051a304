import { isCount, type Measure, UNIT_OF, type Unit } from './measures.ts';
import { isJoined, magnitudeAt, type NumberMention, numberAt, type Piece } from './numbers.ts';

/** An amount in a text: in dollars of whichever country, or in the unit of its measure. */
export interface Quantity {
  readonly measure: Measure;
  readonly value: number;
  /** The number before its magnitude and its unit. */
  readonly bare: number;
  /** Pieces that it takes. */
  readonly start: number;
  readonly length: number;
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
/** "$50 per share" says nothing about a company. */
const RATES: ReadonlySet<string> = new Set(['per', 'hourly', 'hour', 'hr', 'share']);
/** Words between a number and what it counts, at most. */
const BETWEEN = 2;
/** "5 star hotels" are not five, nor "3 of the hotels". */
const NEVER_BETWEEN: ReadonlySet<string> = new Set(
  'star stars of in to and or per year years day days percent'.split(' '),
);
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

/** The amount that begins at a piece; one of money has to say so by a sign or a currency. */
export function quantityAt(text: string, pieces: readonly Piece[], at: number): Quantity | undefined {
  return moneyAt(text, pieces, at) ?? measuredAt(text, pieces, at);
}

function moneyAt(text: string, pieces: readonly Piece[], at: number): Quantity | undefined {
  const opening = openingAt(text, pieces, at);
  const number = numberAt(text, pieces, at + opening, true);
  if (!number) return undefined;
  const behind = at + opening + number.length;
  const closing = closingAt(text, pieces, behind);
  if (opening + closing === 0 || (opening === 0 && isYear(pieces[at]?.text ?? '') && number.length === 1))
    return undefined;
  const end = behind + closing;
  if (RATES.has(pieces[end]?.word ?? '') && (isJoined(text, pieces, end) || isSlash(text, pieces, end)))
    return undefined;
  return { measure: 'money', value: number.value, bare: number.bare, start: at, length: end - at };
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

function isSlash(text: string, pieces: readonly Piece[], at: number): boolean {
  return text.slice(pieces[at - 1]?.end, pieces[at]?.start).trim() === '/';
}

function measuredAt(text: string, pieces: readonly Piece[], at: number): Quantity | undefined {
  const number = numberAt(text, pieces, at, false);
  if (!number) return undefined;
  const behind = at + number.length;
  const mayBeYear = isYear(pieces[at]?.text ?? '');
  for (let between = 0; between <= BETWEEN; between += 1) {
    if (!isJoined(text, pieces, behind + between)) return undefined;
    const found = unitAt(text, pieces, behind + between);
    if (found && (isCount(found.unit.measure) ? !mayBeYear : between === 0))
      return measured(found, number, at, behind + between);
    const word = pieces[behind + between]?.word ?? '';
    if (!/^\p{L}/u.test(word) || NEVER_BETWEEN.has(word) || magnitudeAt(text, pieces, behind + between, false))
      return undefined;
  }
  return undefined;
}

/** "2015 hotels opened" counts none, "(2023 dollars)" is no amount. */
function isYear(written: string): boolean {
  return /^\d{4}$/.test(written) && Number(written) >= FIRST_YEAR && Number(written) <= LAST_YEAR;
}

interface FoundUnit {
  readonly unit: Unit;
  readonly length: number;
}

function measured({ unit, length }: FoundUnit, number: NumberMention, start: number, unitAt: number): Quantity {
  const { value, bare } = number;
  return { measure: unit.measure, value: value * unit.factor, bare, start, length: unitAt + length - start };
}

/** The unit at a piece, the longer one where two begin there. */
export function unitAt(text: string, pieces: readonly Piece[], at: number): FoundUnit | undefined {
  const [first = '', second = ''] = [pieces[at]?.word, pieces[at + 1]?.word];
  const long = isJoined(text, pieces, at + 1) ? UNIT_OF.get(`${first} ${second}`) : undefined;
  if (long) return { unit: long, length: 2 };
  const short = UNIT_OF.get(first);
  return short && { unit: short, length: 1 };
}
