import { expect, test } from 'vitest';
import { readLexemesOf } from './tsvector-text.ts';

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
