import { percentile } from '../../bench/support/figures.ts';
import type { Random } from '../../chaos/random.ts';

const SPLITS = 1_000;
const HIGH = 0.95;

/** How far two kinds of calls are apart at one rank, beside how far calls of one kind are apart from each other. */
export interface Comparison {
  readonly foreignMs: number;
  readonly absentMs: number;
  readonly differenceMs: number;
  /** The same between two interleaved series of the same kind. */
  readonly sameKindMs: number;
  /** 95 % of random halves of the same kind differ by less. */
  readonly spreadMs: number;
}

export interface Series {
  readonly foreign: readonly number[];
  readonly absent: readonly number[];
  readonly again: readonly number[];
}

/** Compares the values below which `share` of each series lie. */
export function compare({ foreign, absent, again }: Series, share: number, random: Random): Comparison {
  const rank = (values: readonly number[]) => percentile(values, share);
  const differences = Array.from({ length: SPLITS }, () => {
    const [one, other] = halves([...absent, ...again], random);
    return Math.abs(rank(one) - rank(other));
  });
  const [foreignMs, absentMs] = [rank(foreign), rank(absent)];
  return {
    foreignMs,
    absentMs,
    differenceMs: foreignMs - absentMs,
    sameKindMs: rank(again) - absentMs,
    spreadMs: percentile(differences, HIGH),
  };
}

function halves(values: readonly number[], random: Random): [number[], number[]] {
  const parts: [number[], number[]] = [[], []];
  for (const value of values) parts[random.below(2) as 0 | 1].push(value);
  return parts;
}
