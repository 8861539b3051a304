import type { FactCondition } from '@ces/proto/ces/search/v1/search_pb.ts';
import { rangesOf } from '../facts/condition-codes.ts';
import type { CodeRange } from '../facts/fact-codes.ts';
import { MISSED_FACTOR, UNKNOWN_FACTOR } from './weights.ts';

export function factFactorOf(condition: FactCondition): (codes: readonly number[] | undefined) => number {
  const { meeting, all } = rangesOf(condition);
  const isWithin = (code: number, ranges: readonly CodeRange[]) =>
    ranges.some(({ from, to }) => code >= from && code <= to);
  return (codes) => {
    if (codes === undefined) return UNKNOWN_FACTOR;
    if (codes.some((code) => isWithin(code, meeting))) return 1;
    return codes.some((code) => isWithin(code, [all])) ? MISSED_FACTOR : UNKNOWN_FACTOR;
  };
}
