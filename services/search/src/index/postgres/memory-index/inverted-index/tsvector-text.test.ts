import { expect, test } from 'vitest';
import { readLexemesOf, readPattern } from './tsvector-text.ts';

function lexemesOf(text: string): [string, number[]][] {
  const found: [string, number[]][] = [];
  readLexemesOf(text, (lexeme, positions) => found.push([lexeme, [...positions]]));
  return found;
}

test('lexemes are read with their positions, whatever characters are in them', () => {
  expect(lexemesOf(`'batteri':1,12 'o''neil':3 'a\\\\b':2,16383 'c:4':5`)).toEqual([
    ['batteri', [1, 12]],
    [`o'neil`, [3]],
    ['a\\b', [2, 16383]],
    ['c:4', [5]],
  ]);
  expect(lexemesOf('')).toEqual([]);
});

test('a phrase is read with the distances that left out words leave', () => {
  expect(readPattern(`'new' <-> 'york'`)).toEqual({ lexemes: ['new', 'york'], offsets: [0, 1] });
  expect(readPattern(`'district' <2> 'columbia' <-> 'o''neil'`)).toEqual({
    lexemes: ['district', 'columbia', `o'neil`],
    offsets: [0, 2, 3],
  });
  expect(readPattern('')).toEqual({ lexemes: [], offsets: [] });
});

test('what is more than a phrase is not taken for one', () => {
  for (const text of [`'a' | 'b'`, `!'a'`, `( 'a' <-> 'b' ) & 'c'`]) expect(readPattern(text)).toBeUndefined();
});
