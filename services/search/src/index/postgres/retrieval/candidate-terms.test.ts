import { expect, test } from 'vitest';
import type { WeighedTerm } from '../../../ranking/weigh-terms.ts';
import { chooseMatchSet, oldestWithin } from './candidate-terms.ts';
import { searchedShare } from './retrieval-cost.ts';

function term(text: string, documents: number, weight = 10 / documents): WeighedTerm {
  return { text, words: [text], documents, alternatives: [{ phrases: [[text]], weight, documents }], namesKinds: [] };
}

const WHOLE = { documents: 1_000, share: 1, passing: 1 };

function chosen(terms: readonly WeighedTerm[], share: number, budget: number): string[] {
  return chooseMatchSet(terms, { ...WHOLE, share }, budget).terms.map(({ text }) => text);
}

const TERMS = [term('the', 900), term('rare', 10), term('common', 95)];

test('terms fetch from the weightiest on until the budget is used', () => {
  expect(chosen(TERMS, 1, 1_000)).toEqual(['rare', 'common']);
  expect(chosen(TERMS, 1, 10_000)).toEqual(['rare', 'common', 'the']);
});

test('a window lets more terms fetch', () => {
  expect(chosen(TERMS, 0.1, 105)).toEqual(['rare', 'common', 'the']);
});

test('a term that does not fit leaves room for lighter ones that do', () => {
  expect(chosen([term('heavy', 500, 9), term('light', 5, 1), term('first', 5, 10)], 1, 100)).toEqual([
    'first',
    'light',
  ]);
});

test('one term always fetches, and what is left out is told', () => {
  const { terms, dropped } = chooseMatchSet(TERMS, WHOLE, 1);
  expect(terms.map(({ text }) => text)).toEqual(['rare']);
  expect(dropped.map(({ text }) => text)).toEqual(['common', 'the']);
});

test('what filters leave out takes less, so that more terms fetch inside them', () => {
  const inside = (passing: number) => chooseMatchSet(TERMS, { ...WHOLE, passing }, 106 * 0.46).terms.length;
  expect([inside(1), inside(0.1), inside(0)]).toEqual([1, 2, 2]);
});

const BUCKETS = [
  { bucket: '2026-11-01', entries: 10, searched: true },
  { bucket: '2026-10-01', entries: 30, searched: true },
  { bucket: '2025-01-01', entries: 60, searched: true },
  { bucket: '2024-01-01', entries: 100, searched: false },
];

test('a window holds its share of all observations', () => {
  expect(searchedShare(BUCKETS)).toBe(0.5);
  expect(searchedShare([])).toBe(1);
});

test('a word with too many matches is looked for in the newest buckets', () => {
  expect(oldestWithin(BUCKETS, 1_000, 1_000)).toBeUndefined();
  expect(oldestWithin(BUCKETS, 1_000, 400)).toBe('2026-10-01');
  expect(oldestWithin(BUCKETS, 1_000, 399)).toBe('2026-11-01');
  expect(oldestWithin(BUCKETS, 1_000, 1)).toBe('2026-11-01');
});
