import { expect, test } from 'vitest';
import { phrasePattern } from './phrase-patterns.ts';

test('a phrase has its lexemes at the distances that stop words leave', () => {
  expect(phrasePattern('new york')).toEqual({ lexemes: ['new', 'york'], offsets: [0, 1] });
  expect(phrasePattern('District of Columbia plants')).toEqual({
    lexemes: ['district', 'columbia', 'plant'],
    offsets: [0, 2, 3],
  });
  expect(phrasePattern('the plant')).toEqual({ lexemes: ['plant'], offsets: [0] });
});

test('a phrase of stop words has no lexeme', () => {
  expect(phrasePattern('of the')).toEqual({ lexemes: [], offsets: [] });
});
