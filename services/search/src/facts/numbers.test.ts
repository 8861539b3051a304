import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberAt, piecesOf } from './numbers.ts';

const PIECE = /[$€£]|\d+(?:,\d+)*(?:\.\d+)?|\p{L}+/gu;

test('pieces stand where they stand in the text, whatever is between them', () => {
  const part = fc.constantFrom(
    '5',
    '5.5',
    '1,000',
    '$',
    '€',
    'a',
    'half',
    'é',
    'e\u0301',
    ' ',
    '-',
    ', ',
    '. ',
    '\u{1d400}',
    '\ud835',
  );
  const text = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (given) => {
      expect(piecesOf(given).map(({ text: piece, start, end }) => ({ piece, start, end }))).toEqual(
        Array.from(given.matchAll(PIECE), ({ 0: piece, index }) => ({
          piece,
          start: index,
          end: index + piece.length,
        })),
      );
    }),
  );
});

test.each([
  ['1,200', 1200],
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
