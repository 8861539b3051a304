import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordsOf } from '../text/words.ts';
import { loadVocabulary, TRADE_FILES } from './load-vocabulary.ts';

const vocabulary = loadVocabulary();

/** The first paragraph of the file lists the stop words of the index. */
function leftOut(): ReadonlySet<string> {
  const text = readFileSync(new URL('../../vocabulary/stop-words.txt', import.meta.url), 'utf8');
  return new Set(wordsOf(text.split('\n\n')[1] ?? ''));
}

function tradeLines(): { readonly left: readonly string[]; readonly right: readonly string[] }[] {
  const phrases = (side = '') => side.split(',').map((phrase) => wordsOf(phrase).join(' '));
  return TRADE_FILES.flatMap((file) =>
    readFileSync(new URL(`../../vocabulary/${file}`, import.meta.url), 'utf8').split('\n'),
  )
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' > '))
    .map(([left, right]) => ({ left: phrases(left), right: phrases(right) }));
}

test('the common name of a trade leads to the word of records, in the singular and the plural, and not the other way round', () => {
  const related = vocabulary.related.get(['rubbish', 'dumps']) ?? [];
  expect(related).toContainEqual({ words: ['landfill'], weight: 0.5 });
  expect(vocabulary.related.get(['rubbish', 'dump'])).toEqual(related);
  expect(vocabulary.related.get(['landfill', 'gas'])).toBeUndefined();
});

test('services and occupations are known as trades are, in French as well', () => {
  expect(vocabulary.related.get(['wine', 'shop'])).toContainEqual({ words: ['liquor'], weight: 0.5 });
  expect(vocabulary.related.get(['finance', 'chiefs'])).toContainEqual({
    words: ['chief', 'financial', 'officer'],
    weight: 0.5,
  });
  expect(vocabulary.related.get(['medecin'])).toContainEqual({ words: ['physician'], weight: 0.5 });
});

test('a word that is in both files has what either says, each at its weight', () => {
  const weights = new Set((vocabulary.related.get(['private', 'jet']) ?? []).map((phrase) => phrase.weight));
  expect(weights).toEqual(new Set([0.5]));
  const maker = vocabulary.related.get(['drug', 'maker']) ?? [];
  expect(maker).toContainEqual({ words: ['pharmaceutical'], weight: 0.35 });
});

test('no line of trades leads to a word that an index leaves out or to itself, or starts from a word that is not searched for', () => {
  const missing = leftOut();
  expect(missing.has('the')).toBe(true);
  for (const { left, right } of tradeLines()) {
    expect(left.filter((phrase) => right.includes(phrase))).toEqual([]);
    expect(left.filter((phrase) => phrase.split(' ').some((word) => vocabulary.stopWords.has(word)))).toEqual([]);
    expect(right.filter((phrase) => phrase.split(' ').some((word) => word === '' || missing.has(word)))).toEqual([]);
  }
});
