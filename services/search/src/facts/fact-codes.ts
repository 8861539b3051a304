import { MEASURE_NUMBERS, type Measure } from './measures.ts';

/** Both ends are inclusive. */
export interface CodeRange {
  readonly from: number;
  readonly to: number;
}

const SPAN = 200_000;
/** One factor of ten has this many codes, so amounts that differ by 1/2000 get different codes. */
const DECADE = 5_000;
const STEP = 500;
const DECADES = 16;
export const GREATEST_AMOUNT = 10 ** DECADES;

/** Logarithmic: codes sort like amounts. Clamped to 1 … 10¹⁶; each measure has its own range. */
export function codeOf(measure: Measure, amount: number): number {
  const decades = Math.min(DECADES, Math.log10(Math.max(1, amount)));
  return MEASURE_NUMBERS[measure] * SPAN + Math.round(decades * DECADE);
}

export function codesOf(number: number): CodeRange {
  return { from: number * SPAN, to: (number + 1) * SPAN - 1 };
}

export function codeOfMember(family: number, member: number): number {
  return family * SPAN + member;
}

export function lexemeOf(measure: Measure, amount: number): string {
  return lexemeAt(measure, codeOf(measure, amount));
}

/** Returns at most `most` lexemes of a code range, taken from its bounded end. */
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
