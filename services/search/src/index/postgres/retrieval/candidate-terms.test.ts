import { expect, test } from 'vitest';
import type { WeighedTerm } from '../../../ranking/weigh-terms.ts';
import { chooseCandidateTerms, oldestPartitionWithin } from './candidate-terms.ts';
import { searchedShare } from './retrieval-cost.ts';

function term(text: string, documents: number, weight = 10 / documents): WeighedTerm {
  return {
    text,
    words: [text],
    documents,
    alternatives: [{ phrases: [[text]], weight, documents }],
    namesKinds: [],
    supportsKinds: [],
  };
}

const WHOLE = { documents: 1_000, share: 1, passing: 1 };

function chosen(terms: readonly WeighedTerm[], share: number, budget: number): string[] {
  return chooseCandidateTerms(terms, { ...WHOLE, share }, budget).terms.map(({ text }) => text);
}

const TERMS = [term('the', 900), term('rare', 10), term('common', 95)];

test('terms retrieve from the weightiest on until the budget is used', () => {
  expect(chosen(TERMS, 1, 1_000)).toEqual(['rare', 'common']);
  expect(chosen(TERMS, 1, 10_000)).toEqual(['rare', 'common', 'the']);
});

test('a window lets more terms retrieve', () => {
  expect(chosen(TERMS, 0.1, 105)).toEqual(['rare', 'common', 'the']);
});

test('a term that does not fit leaves room for lighter ones that do', () => {
  expect(chosen([term('heavy', 500, 9), term('light', 5, 1), term('first', 5, 10)], 1, 100)).toEqual([
    'first',
    'light',
  ]);
});

test('one term always retrieves, and what is dropped is reported', () => {
  const { terms, dropped } = chooseCandidateTerms(TERMS, WHOLE, 1);
  expect(terms.map(({ text }) => text)).toEqual(['rare']);
  expect(dropped.map(({ text }) => text)).toEqual(['common', 'the']);
});

test('what filters leave out costs less, so that more terms retrieve inside them', () => {
  const inside = (passing: number) => chooseCandidateTerms(TERMS, { ...WHOLE, passing }, 106 * 0.46).terms.length;
  expect([inside(1), inside(0.1), inside(0)]).toEqual([1, 2, 2]);
});

const SEARCHED = [
  { partition: '2026-11-01', observations: 10 },
  { partition: '2026-10-01', observations: 30 },
  { partition: '2025-01-01', observations: 60 },
];

test('a window holds its share of all observations', () => {
  expect(searchedShare(SEARCHED, [...SEARCHED, { partition: '2024-01-01', observations: 100 }])).toBe(0.5);
  expect(searchedShare([], [])).toBe(1);
});

test('a word with too many matches is looked for in the newest partitions', () => {
  expect(oldestPartitionWithin(SEARCHED, 1_000, 1_000)).toBeUndefined();
  expect(oldestPartitionWithin(SEARCHED, 1_000, 400)).toBe('2026-10-01');
  expect(oldestPartitionWithin(SEARCHED, 1_000, 399)).toBe('2026-11-01');
  expect(oldestPartitionWithin(SEARCHED, 1_000, 1)).toBe('2026-11-01');
});
