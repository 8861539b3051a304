import { superlinear } from '@ces/test/support/growth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hiddenCharacters } from '../test-support/hidden-characters.ts';
import { visibleText } from './visible-text.ts';

test.each([
  ['a Persian word with a non-joiner', 'می\u200cخواهم'],
  ['a Hindi half form', 'क्\u200dष'],
  ['a half form at the end of a word', 'क्\u200d है'],
  ['Sinhala', 'ශ්\u200dරී'],
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a heart in colour, on fire', '\u2764\ufe0f\u200d\u{1f525}'],
  ['a skin tone at work', '\u{1f469}\u{1f3fd}\u200d\u{1f52c}'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['a variant of an ideograph', '葛\u{e0100}飾'],
  ['hieroglyphs in a square', '\u{13000}\u{13430}\u{13437}\u{13001}\u{13431}\u{13002}\u{13438}'],
  ['Mongolian with a separator', 'ᠠ\u180eᠡ'],
  ['an Arabic number sign', '\u06001447'],
  ['Québec, 東京 and Ελλάδα, with tab\tand\nline', 'Québec, 東京 and Ελλάδα, with tab\tand\nline'],
])('%s is kept', (_name, text) => {
  expect(visibleText(text)).toBe(text);
});

test.each([
  ['tags', `A\u{e0001}${[...'obey'].map((c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0))).join('')}B`],
  ['zero width', 'A\u200b\u200c\u200d\u2060\ufeffB'],
  ['invisible operators', 'A\u2061\u2062\u2063\u2064B'],
  ['direction', 'A\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069B'],
  ['variation selectors behind a letter', 'A\ufe00\ufe0f\u{e0100}\u{e01ef}B'],
  ['fillers and hyphens', 'A\u3164\uffa0\u00ad\u034f\u17b4\u115fB'],
  ['controls', 'A\0\u0007\u001b\u007f\u0090B'],
  ['annotation', 'A\ufff9\ufffa\ufffbB'],
  ['the layout of hieroglyphs behind a letter', 'A\u{13430}\u{13437}\u{1343f}\u{13430}B'],
])('%s are dropped', (_name, text) => {
  expect(visibleText(text)).toBe('AB');
});

test('bytes hidden after a picture are dropped, except one selector', () => {
  expect(visibleText(`\u{1f600}${'\ufe0f\ufe01\u{e0101}\ufe0f'.repeat(40)}`)).toBe('\u{1f600}\ufe0f');
  expect(visibleText('葛\u{e0100}\u{e0101}\u{e0102}')).toBe('葛\u{e0100}');
  expect(visibleText('می\u200c\u200d\u200c\u200cخ')).toBe('می\u200cخ');
  expect(visibleText(`\u{13000}${'\u{13430}\u{1343f}'.repeat(40)}`)).toBe('\u{13000}\u{13430}');
  expect(visibleText('葛\u{e0151}飾\u{e0161}')).toBe('葛飾');
});

test('every control and format between letters is dropped, but line end, tab and what is seen', () => {
  const left = hiddenCharacters().filter((character) => visibleText(`a${character}b`) !== 'ab');
  const shown = left.filter((character) => !/[\t\n\v\f\r\u0085]/.test(character));
  expect(shown.length).toBeGreaterThan(0);
  for (const character of shown) expect(character).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{Cc}/u);
});

test('the function is idempotent, and the result is a subsequence of the text', () => {
  const piece = fc.constantFrom(
    ...hiddenCharacters(),
    'a',
    ' ',
    'م',
    'क',
    '\u094d',
    '\u{1f600}',
    '葛',
    '\u{13000}',
    '1',
    '\u20e3',
    'ᄀ',
    'ᠠ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      expect(visibleText(visibleText(text))).toBe(visibleText(text));
    }),
    { numRuns: 3000 },
  );
});

test('takes time in proportion to the text', { tags: 'nightly' }, () => {
  for (const pump of ['\u200d', 'a\u200b', 'م\u200c', '\u{1f600}\u200d', '\r\n'])
    expect(superlinear((size) => pump.repeat(size), visibleText, { from: 4096, to: 131_072 })).toBeUndefined();
});
