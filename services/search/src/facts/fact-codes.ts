import { MEASURE_NUMBERS, type Measure } from './measures.ts';

/** Which codes a fact may have, both ends included. */
export interface CodeRange {
  readonly from: number;
  readonly to: number;
}

/** Codes of one measure or family. */
const SPAN = 200_000;
/** Codes of ten times as much: amounts a two-thousandth apart are told apart. */
const DECADE = 5_000;
/** Codes that share a lexeme, by which an index finds them: ten a decade. */
const STEP = 500;
const DECADES = 16;
/** What is more counts as this. */
export const GREATEST_AMOUNT = 10 ** DECADES;

/**
 * An amount as a number that an index compares: whole, in the order of amounts, and in a range of its own for every measure.
 * What is less than one counts as one, what is more than ten to the sixteenth as that.
 */
export function codeOf(measure: Measure, amount: number): number {
  const decades = Math.min(DECADES, Math.log10(Math.max(1, amount)));
  return MEASURE_NUMBERS[measure] * SPAN + Math.round(decades * DECADE);
}

/** All codes of a measure or family. */
export function codesOf(number: number): CodeRange {
  return { from: number * SPAN, to: (number + 1) * SPAN - 1 };
}

/** The code of a member of a family, by both their numbers. */
export function codeOfMember(family: number, member: number): number {
  return family * SPAN + member;
}

/** The word by which an amount is found. */
export function lexemeOf(measure: Measure, amount: number): string {
  return lexemeAt(measure, codeOf(measure, amount));
}

/** Words of all amounts of a measure in a range of codes, at most `most`: those at the end that is bounded. */
export function lexemesWithin(measure: Measure, { from, to }: CodeRange, most: number): string[] {
  const bounds = codesOf(MEASURE_NUMBERS[measure]);
  const first = Math.floor((Math.max(from, bounds.from) - bounds.from) / STEP);
  const last = Math.floor((Math.min(to, bounds.from + DECADES * DECADE) - bounds.from) / STEP);
  const steps = Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => bounds.from + (first + step) * STEP);
  const kept = from <= bounds.from ? steps.slice(-most) : steps.slice(0, most);
  return kept.map((code) => lexemeAt(measure, code));
}

function lexemeAt(measure: Measure, code: number): string {
  return `fact${measure}${Math.floor((code - MEASURE_NUMBERS[measure] * SPAN) / STEP)}`;
}
