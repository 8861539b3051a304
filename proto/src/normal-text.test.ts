import { superlinear } from '@ces/test/support/growth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalText } from './normal-text.ts';

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
const EVERY = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
const MARKS = EVERY.map((code) => String.fromCodePoint(code)).filter((one) => /[\p{M}\uff9e\uff9f]/u.test(one));

test('nothing else than marks and the narrow sound marks of katakana ever moves before another mark', () => {
  const moving = EVERY.map((code) => String.fromCodePoint(code)).filter(
    (one) => !`\u0345${one}`.normalize('NFKD').startsWith('\u0345') || one.normalize('NFKD').startsWith('\u0345'),
  );
  expect(moving.length).toBeGreaterThan(900);
  expect(moving.filter((one) => !MARKS.includes(one))).toEqual([]);
});

test('every text is normalised as the engine does it, whatever the order of its marks', () => {
  const mark = fc.constantFrom(...MARKS);
  const pieces = fc.array(fc.oneof({ arbitrary: mark, weight: 30 }, fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(pieces, fc.constantFrom(...FORMS), (all, form) => {
      const text = all.join('');
      expect(normalText(text, form)).toBe(text.normalize(form));
    }),
    { numRuns: 60 },
  );
  for (const form of FORMS) expect(normalText(MARKS.join(''), form)).toBe(MARKS.join('').normalize(form));
});

test.each(['\u0301\u0316', '\u0345\u0344', 'a\u0301', '\uff9e\u0301', '\u0301\u0316\u034f'])(
  '%j again and again takes time in proportion to the text',
  { tags: 'nightly' },
  (pump) => {
    for (const form of ['NFC', 'NFKD'] as const)
      expect(
        superlinear(
          (size) => `a${pump.repeat(size)}`,
          (text) => normalText(text, form),
          { from: 1024, to: 32_768 },
        ),
      ).toBeUndefined();
  },
);
