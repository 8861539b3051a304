import { expect, test } from 'vitest';
import { markSentence, markWords } from './matched-words.ts';

function marked(text: string, query: string): string[] {
  return markWords(text, query)
    .filter(({ matched }) => matched)
    .map(({ text: word }) => word);
}

test('words that the query asks for are marked in other forms, cases and accents', () => {
  expect(marked('Expanding two WAREHOUSES in Montréal', 'warehouse expansion montreal')).toEqual([
    'Expanding',
    'WAREHOUSES',
    'Montréal',
  ]);
  expect(marked('The city is planning, has planned and plans', 'plan')).toEqual(['planning', 'planned', 'plans']);
});

test('small words, excluded words and parts of words are not marked', () => {
  expect(marked('The cold and the old scold of Coldwater', 'the cold -old')).toEqual(['cold']);
});

test('the pieces put together are the text', () => {
  const text = '“Cold storage,” it said; 40,000 square feet.';
  expect(
    markWords(text, 'storage "square feet"')
      .map((span) => span.text)
      .join(''),
  ).toBe(text);
  expect(markWords('', 'storage')).toEqual([]);
});

test('without a word of the query, the sentence nearest to the fact is marked', () => {
  const text = 'Council met on Monday. Ann Co may build a plant in Fresno. Nobody spoke.';
  const spans = markSentence(text, 'Ann Co builds a plant in Fresno, California.');
  expect(spans.filter(({ matched }) => matched).map((span) => span.text)).toEqual([
    'Ann Co may build a plant in Fresno.',
  ]);
  expect(spans.map((span) => span.text).join('')).toBe(text);
  expect(markSentence('Council met.', 'Ann Co builds a plant.')).toEqual([{ text: 'Council met.', matched: false }]);
});
