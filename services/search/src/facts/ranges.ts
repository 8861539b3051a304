import { isCount } from './measures.ts';
import { isYear, type MoneyAmount, mayBeginMoney, moneyAt } from './money.ts';
import { isNumberOfName } from './numbers-of-names.ts';
import type { Piece } from './piece.ts';
import { isJoined } from './pieces.ts';
import { type Quantity, quantityAt, unitAt } from './quantities.ts';

export type RangeEnd = Omit<Quantity, 'start'>;

export interface Range {
  readonly measure: Quantity['measure'];
  readonly least: number;
  readonly most: number;
  readonly length: number;
  readonly isRate: boolean;
}

export type ReadEnd = (text: string, pieces: readonly Piece[], at: number) => RangeEnd | undefined;

const OPENING: ReadonlySet<string> = new Set(['between', 'from', 'entre', 'de']);
const JOINING: ReadonlySet<string> = new Set(['and', 'to', 'et', 'a']);
const TO: ReadonlySet<string> = new Set(['to', 'a']);
const DASH = /^\s?[-‐‑–—]\s?$/;
/** "million" counts these nouns even after an amount of money: "$5 to 10 million people". */
const PEOPLE: ReadonlySet<string> = new Set(
  (
    'people persons users customers subscribers members families households children students patients residents visitors viewers ' +
    'passengers americans canadians consumers shares units'
  ).split(' '),
);
const BETWEEN = 2;

/**
 * Reads "$5-10 million", "between 10 and 50 MW". The first number takes the measure of the last,
 * and its magnitude if its bare number is smaller.
 */
export function rangeAt(
  text: string,
  pieces: readonly Piece[],
  at: number,
  readEnd: ReadEnd = quantityAt,
): Range | undefined {
  const opens = OPENING.has(pieces[at]?.word ?? '') ? 1 : 0;
  if (!mayBeginMoney(pieces[at + opens])) return undefined;
  const money = isNumberOfName(text, pieces, at + opens) ? undefined : moneyAt(text, pieces, at + opens);
  if (!money) return undefined;
  const first: First = quantityAt(text, pieces, at + opens) ?? money;
  const joint = jointAt(text, pieces, at + opens + first.length, opens === 1);
  if (!joint) return undefined;
  const start = at + opens + first.length + joint.length;
  const behind = moneyAt(text, pieces, start);
  if (behind?.isRate && (money.isSaid || behind.isSaid) && money.magnitude <= behind.magnitude)
    return {
      measure: 'money',
      least: money.value,
      most: behind.value,
      length: start + behind.length - at,
      isRate: true,
    };
  const isLeftOpen = money.isSaid && behind !== undefined && !behind.isSaid;
  const last = (isLeftOpen ? unsaidAt(text, pieces, behind, joint.isTight) : undefined) ?? readEnd(text, pieces, start);
  if (!last || (first.measure && first.measure !== last.measure)) return undefined;
  if (!first.measure && last.magnitude === 1 && isYear(pieces[at + opens]?.text ?? '')) return undefined;
  const { measure, value: most, length } = last;
  const least = leastOf(first, last, pieces[start + 1]?.word ?? '');
  return least < most ? { measure, least, most, length: start + length - at, isRate: false } : undefined;
}

type First = (MoneyAmount & { readonly measure?: undefined; readonly factor?: undefined }) | Quantity;

interface Joint {
  readonly length: number;
  /** A dash without spaces joins the numbers regardless of the next words. */
  readonly isTight: boolean;
}

function jointAt(text: string, pieces: readonly Piece[], at: number, isOpened: boolean): Joint | undefined {
  const word = pieces[at]?.word ?? '';
  if (JOINING.has(word) && (isOpened || TO.has(word)))
    return isJoined(text, pieces, at) && isJoined(text, pieces, at + 1) ? { length: 1, isTight: false } : undefined;
  const between = text.slice(pieces[at - 1]?.end, pieces[at]?.start);
  return DASH.test(between) ? { length: 0, isTight: between.length === 1 } : undefined;
}

function unsaidAt(text: string, pieces: readonly Piece[], money: MoneyAmount, isTight: boolean): RangeEnd | undefined {
  const isMoney = isTight
    ? money.magnitude > 1 ||
      !(isYear(pieces[money.start]?.text ?? '') || countsAt(text, pieces, money.start + money.length))
    : money.magnitude > 1 && !countsAt(text, pieces, money.start + money.length);
  return isMoney ? { ...money, measure: 'money', factor: 1 } : undefined;
}

/** Whether a counted noun or a unit follows within three pieces; a singular "hotel" is neither. */
function countsAt(text: string, pieces: readonly Piece[], at: number): boolean {
  for (let between = 0; between <= BETWEEN && isJoined(text, pieces, at + between); between += 1) {
    const word = pieces[at + between]?.word ?? '';
    const unit = unitAt(text, pieces, at + between)?.unit;
    if (PEOPLE.has(word) || (unit && (!isCount(unit.measure) || /(?:s|staff|aircraft)$/.test(word)))) return true;
  }
  return false;
}

/** 5 million for "$5-10 million", half a million for "$500,000 to $2 million". */
function leastOf(first: First, last: RangeEnd, wordBehind: string): number {
  const isSmaller = first.bare < last.bare;
  const magnitude = first.magnitude > 1 || !isSmaller ? first.magnitude : last.magnitude;
  const isOfHundreds = /^(?:hundred|cents?)$/.test(wordBehind) && first.bare < 20 && first.bare * 100 < last.bare;
  return first.bare * (isOfHundreds ? 100 : 1) * magnitude * (first.factor ?? last.factor);
}
