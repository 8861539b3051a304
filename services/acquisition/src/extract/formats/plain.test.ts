import { expect, test } from 'vitest';
import { plainLine, plainText } from './plain.ts';

test.each([
  ['&lt;p&gt;Gate&amp;nbsp;7&lt;/p&gt;', 'Gate 7'],
  ['<b>Bold</b> &amp; brave<script>alert(1)</script>', 'Bold & brave'],
  ['Pumps <50 kW, R&D, 5 < 7', 'Pumps <50 kW, R&D, 5 < 7'],
  ['first line\r\nsecond line', 'first line\nsecond line'],
  ['the quay&rsquo;s lamps:\n\tforty&nbsp;red\n&#224; vendre', 'the quay’s lamps:\nforty red\nà vendre'],
  [undefined, ''],
])('%s reads %s', (text, plain) => {
  expect(plainText(text)).toBe(plain);
});

test('a line has no line ends', () => {
  expect(plainLine('<p>one</p><p>two</p>')).toBe('one two');
});
