import { percentile } from '../../bench/support/figures.ts';
import type { Random } from '../../chaos/random.ts';

const SPLITS = 1_000;
const HIGH = 0.95;

/** How far two kinds of calls are apart, beside how far calls of one kind are apart from each other. */
export interface Comparison {
  readonly foreignMs: number;
  readonly absentMs: number;
  /** Difference of the medians. */
  readonly differenceMs: number;
  /** The same between two interleaved series of the same kind. */
  readonly sameKindMs: number;
  /** 95 % of random halves of the same kind differ by less. */
  readonly spreadMs: number;
}

export function compare(
  foreign: readonly number[],
  absent: readonly number[],
  absentAgain: readonly number[],
  random: Random,
): Comparison {
  const differences = Array.from({ length: SPLITS }, () => halvesApart([...absent, ...absentAgain], random));
  const [foreignMs, absentMs] = [median(foreign), median(absent)];
  return {
    foreignMs,
    absentMs,
    differenceMs: foreignMs - absentMs,
    sameKindMs: median(absentAgain) - absentMs,
    spreadMs: percentile(differences, HIGH),
  };
}

function halvesApart(values: number[], random: Random): number {
  const halves: [number[], number[]] = [[], []];
  for (const value of values) halves[random.below(2) as 0 | 1].push(value);
  return Math.abs(median(halves[0]) - median(halves[1]));
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
