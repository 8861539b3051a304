import { expect, test } from 'vitest';
import type { Answers } from './questions.ts';
import { ratiosOf } from './ratios.ts';

const answer = (engine: string, hasContext: boolean, times: number[], ownTimes?: number[]): Answers => ({
  within: '30 days',
  engine,
  hasContext,
  times,
  ownTimes,
  processor: times,
  overlap: undefined,
});
const ANSWERS = [
  answer('raw', false, [2]),
  answer('context', true, [6]),
  answer('tantivy', false, [4], [1]),
  answer('tantivy with context', true, [4], [3]),
  answer('SQLite FTS5', false, [4]),
];

test('only the like is compared, by an own clock where there is one, and SQLite FTS5 with everything', () => {
  const ratios = ratiosOf(100_000, ANSWERS, ['raw', 'context']);
  expect(ratios.map(({ ours, theirs, p50, aim }) => [ours, theirs, p50, aim])).toEqual([
    ['raw', 'tantivy', 2, undefined],
    ['raw', 'SQLite FTS5', 0.5, undefined],
    ['context', 'tantivy with context', 2, 1],
    ['context', 'SQLite FTS5', 1.5, 1],
  ]);
});

test('at other sizes nothing is aimed at in terms of SQLite FTS5', () => {
  const ratios = ratiosOf(20_000, ANSWERS, ['context']);
  expect(ratios.find(({ theirs }) => theirs === 'SQLite FTS5')?.aim).toBeUndefined();
});
