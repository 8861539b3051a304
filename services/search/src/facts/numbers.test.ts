import { expect, test } from 'vitest';
import { numberAt } from './numbers.ts';
import { piecesOf } from './pieces.ts';

test.each([
  ['1,200', 1200],
  ['1 200', 1200],
  ['5 000 000', 5e6],
  ['5\u00a0000\u00a0000,50', 5_000_000.5],
  ['1\u202f200', 1200],
  ['1.250.000', 1.25e6],
  ['1.250', 1.25],
  ['12,5', 12.5],
  ['0,125', 0.125],
  ['2.3 trillion', 2.3e12],
  ['12.05.2024', undefined],
  ['1,2,3', undefined],
  ['half a million', 5e5],
  ['a quarter of a million', 2.5e5],
  ['quarter million', 2.5e5],
  ['a million', 1e6],
  ['one hundred', 100],
  ['cent', 100],
  ['onze', 11],
  ['twenty five', 25],
  ['vingt', 20],
  ['a dozen', undefined],
  ['plant', undefined],
  ['$', undefined],
  ['million', undefined],
])('the number that "%s" begins with is %s', (text, value) => {
  expect(numberAt(text, piecesOf(text), 0, false)?.value).toBe(value);
});
