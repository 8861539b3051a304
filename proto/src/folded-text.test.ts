import { superlinear } from '@ces/test/support/growth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText } from './folded-text.ts';

test.each([
  ['Tel ６１３－５５５', 'Tel 613-555'],
  ['a＠b．ca', 'a@b.ca'],
  ['613−555', '613-555'],
  ['𝟔𝟏𝟑', '613'],
  ['Métal brossé', 'Métal brossé'],
  ['plain', 'plain'],
])('%s is read as %s', (text, folded) => {
  expect(foldText(text).text).toBe(folded);
});

test('a part of the folded text maps to the whole characters that produced it', () => {
  const { text, spanOf } = foldText('x℡𝟔y');
  expect(text).toBe('xTEL6y');
  expect(spanOf(2, 3)).toEqual({ start: 1, end: 2 });
  expect(spanOf(4, 5)).toEqual({ start: 2, end: 4 });
  expect(spanOf(0, 6)).toEqual({ start: 0, end: 5 });
});

test('every part of any text is a part of the text that was given', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (given) => {
      const { text, spanOf } = foldText(given);
      for (let at = 0; at < text.length; at += 1) {
        const { start, end } = spanOf(at, at + 1);
        expect(foldText(given.slice(start, end)).text).toContain(text.charAt(at));
      }
    }),
  );
});

test('a text of any characters is read in proportion to its length', { tags: 'nightly' }, () => {
  for (const pump of ['６', 'e\u0301\u0327', '\ufdfa', '𝟔'])
    expect(
      superlinear(
        (size) => pump.repeat(size),
        (text) => foldText(text).text,
        { from: 4_096, to: 65_536 },
      ),
    ).toBeUndefined();
});
