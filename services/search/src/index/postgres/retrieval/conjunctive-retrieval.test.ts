import { expect, test } from 'vitest';
import type { WeighedTerm } from '../../../ranking/weigh-terms.ts';
import { chooseConjunctions } from './conjunctive-retrieval.ts';

const SEARCHED = { documents: 1_000, share: 1, passing: 1 };
const TERMS = [term('a', 200, 3), term('b', 100, 2.5), term('c', 300, 1)];

function term(text: string, documents: number, weight: number): WeighedTerm {
  return {
    text,
    words: [text],
    documents,
    alternatives: [{ phrases: [[text]], weight, documents }],
    namesKinds: [],
    supportsKinds: [],
  };
}

function conjunctions(budget: number, searched: Partial<typeof SEARCHED> = {}): string[] {
  const chosen = chooseConjunctions(TERMS, { ...SEARCHED, ...searched }, budget);
  return chosen.map((terms) => terms.map(({ text }) => text).join(' '));
}

test('what weighs most together comes first, as far as the budget goes', () => {
  // The cost is twice 1,000 × .2 × .1 × .3 matches, and 12 for the posting lists of 600 documents.
  expect(conjunctions(23)).toEqual([]);
  expect(conjunctions(25)).toEqual(['a b c']);
});

test('a pair that fits makes its triples superfluous', () => {
  expect(conjunctions(25 + 40)).toEqual(['a b']);
});

test('a lighter pair is chosen where a heavier one does not fit', () => {
  expect(conjunctions(25 + 40 + 60)).toEqual(['a b', 'b c']);
});

test('less is searched in a window and inside filters, so that more fits', () => {
  expect(conjunctions(33, { share: 0.5 })).toEqual(['a b']);
  expect(conjunctions(13 + 52 * 0.4, { passing: 0 })).toEqual(['a b']);
});

test('words that nearly all documents have are not taken for rarer together than the rarer of them', () => {
  const everywhere = [term('all', 1_000, 1), term('most', 800, 0.5)];
  expect(chooseConjunctions(everywhere, SEARCHED, 835)).toEqual([]);
  expect(chooseConjunctions(everywhere, SEARCHED, 837)).toHaveLength(1);
});

test('a word does not go together with a phrase that it is part of', () => {
  const terms = [term('clean technology', 100, 3), term('clean', 100, 2), term('technology', 100, 1)];
  const chosen = chooseConjunctions(terms, SEARCHED, 1_000);
  expect(chosen.map((one) => one.map(({ text }) => text))).toEqual([['clean', 'technology']]);
});
