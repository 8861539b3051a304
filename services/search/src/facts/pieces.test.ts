import fc from 'fast-check';
import { expect, test } from 'vitest';
import { piecesOf } from './pieces.ts';

const PIECE = /[$€£]|\d+(?:[.,]\d+)*|\p{L}+/gu;

test('pieces keep their positions in the text, whatever is between them', () => {
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
    '\u00a0',
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
  ['1 200 emplois', ['1 200', 'emplois']],
  ['5\u00a0000\u202f000 $', ['5\u00a0000\u202f000', '$']],
  ['1 250,75 $', ['1 250,75', '$']],
  ['2019 500 2020', ['2019', '500', '2020']],
  ['555 1234', ['555', '1234']],
  ['in Q3 500 jobs', ['in', 'Q', '3', '500', 'jobs']],
  ['on June 15 200 workers', ['on', 'June', '15', '200', 'workers']],
  ['COVID-19 200 workers', ['COVID', '19', '200', 'workers']],
])('the pieces of "%s"', (text, pieces) => {
  const found = piecesOf(text);
  expect(found.map((piece) => piece.text)).toEqual(pieces);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(pieces);
});
