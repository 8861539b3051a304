import { isCount, type Measure, UNIT_OF, type Unit } from './measures.ts';
import { isYear, mayBeginMoney, moneyAt } from './money.ts';
import { magnitudeAt, type NumberMention, numberAt } from './numbers.ts';
import { isNumberOfName } from './numbers-of-names.ts';
import type { Piece } from './piece.ts';
import { isJoined } from './pieces.ts';

/** Money is in dollars of any country. */
export interface Quantity extends Omit<NumberMention, 'length'> {
  readonly measure: Measure;
  /** Converts the text's unit to the base unit, which `value` is in. */
  readonly factor: number;
  readonly start: number;
  readonly length: number;
}

const BETWEEN = 2;
/** "5 star hotels" and "3 of the hotels" are no counts of hotels. */
const NEVER_BETWEEN: ReadonlySet<string> = new Set(
  'star stars of in to and or per year years day days percent'.split(' '),
);

export function quantityAt(text: string, pieces: readonly Piece[], at: number): Quantity | undefined {
  if (!mayBeginMoney(pieces[at]) || isNumberOfName(text, pieces, at)) return undefined;
  const money = moneyAt(text, pieces, at);
  if (!money) return measuredAt(text, pieces, at);
  if (!money.isSaid || money.isRate) return measuredAt(text, pieces, at);
  const { value, bare, magnitude, length } = money;
  return { measure: 'money', factor: 1, value, bare, magnitude, start: at, length };
}

function measuredAt(text: string, pieces: readonly Piece[], at: number): Quantity | undefined {
  const number = numberAt(text, pieces, at, false);
  if (!number) return undefined;
  const behind = at + number.length;
  const mayBeYear = isYear(pieces[at]?.text ?? '');
  for (let between = 0; between <= BETWEEN; between += 1) {
    if (!isJoined(text, pieces, behind + between)) return undefined;
    const found = unitAt(text, pieces, behind + between);
    if (found && (isCount(found.unit.measure) ? !mayBeYear && isWhole(number.value) : between === 0))
      return measured(found, number, at, behind + between);
    const { word = '', start } = pieces[behind + between] ?? {};
    if (!/^\p{L}/u.test(word) || NEVER_BETWEEN.has(word) || magnitudeAt(text, pieces, behind + between, false))
      return undefined;
    /* The letter is part of the number: "3M employees", "401k staff". */
    if (word.length === 1 && start === pieces[behind - 1]?.end) return undefined;
  }
  return undefined;
}

/** Tolerates the rounding errors of decimal multiplication. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6 * value;
}

interface FoundUnit {
  readonly unit: Unit;
  readonly length: number;
}

function measured({ unit, length }: FoundUnit, number: NumberMention, start: number, unitAt: number): Quantity {
  const { value, bare, magnitude } = number;
  const { measure, factor } = unit;
  return { measure, factor, value: value * factor, bare, magnitude, start, length: unitAt + length - start };
}

export function unitAt(text: string, pieces: readonly Piece[], at: number): FoundUnit | undefined {
  const [first = '', second = ''] = [pieces[at]?.word, pieces[at + 1]?.word];
  const long = isJoined(text, pieces, at + 1) ? UNIT_OF.get(`${first} ${second}`) : undefined;
  if (long) return { unit: long, length: 2 };
  const short = UNIT_OF.get(first);
  return short && { unit: short, length: 1 };
}
