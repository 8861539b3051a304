import { superlinear } from '@ces/test/support/growth.ts';
import { expect, test } from 'vitest';
import { normaliseHostname } from './hostname.ts';

test.each([
  [' Example.COM. ', 'example.com'],
  ['www.example.com', 'www.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['例え.example。', 'xn--r8jz45g.example'],
  ['example.com．', 'example.com'],
  ['example。com｡', 'example.com'],
  ['localhost', 'localhost'],
  ['_dmarc.a.ca', '_dmarc.a.ca'],
  ['127.example', '127.example'],
  ['1.2.3.4.in-addr.arpa', '1.2.3.4.in-addr.arpa'],
  ['0x7f.example', '0x7f.example'],
  ['a.0xyz', 'a.0xyz'],
])('%j is the hostname %j', (given, expected) => {
  expect(normaliseHostname(given)).toBe(expected);
});

test.each([
  '',
  ' ',
  '.',
  'a..b',
  '.a.com',
  'https://a.com',
  'a.com/x',
  'a.com:80',
  'me@a.com',
  'a b.com',
  'a.com..',
  'a.com。。',
  'a.com。.',
  '[::1]',
  '-a.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
])('%j is no hostname', (given) => {
  expect(normaliseHostname(given)).toBeUndefined();
});

test.each([
  ...['127.0.0.1', '8.8.8.8.', ' 10.0.0.1 ', '127.1', '192.168.257', '2130706433', '0', '1'],
  ...['0x7f000001', '0x7f.0.0.1', '0X7F.1', '127.0.0.0x1', '0x', '1.0x', '0177.0.0.1', '017700000001'],
  ...['１２７.0.0.1', '127。0。0。1', '①②⑦.0.0.1', '1.2.3.4.5', '256.256.256.256', 'example.123', 'a.08'],
  ...['::1', '[::1]', '2001:db8::1', '[2001:db8::1]', '::ffff:127.0.0.1', '[::ffff:127.0.0.1]', 'fe80::1%eth0'],
])('%j is an address or could be read as one, and no hostname', (given) => {
  expect(normaliseHostname(given)).toBeUndefined();
});

test('a long text is normalised to a hostname by its visible characters, as a short one is', () => {
  const unseen = '\u00ad'.repeat(100);
  const letters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code));
  for (const letter of [...letters, ...'漢字각ﷺ﷽\u{1f600}\u{20000}ａ㈱①'])
    for (const label of [letter.repeat(20), `${letter}\u0301\u0316a`]) {
      const short = normaliseHostname(`${label}.example`);
      expect(normaliseHostname(`${label}.${unseen}example`), JSON.stringify(letter)).toBe(short);
    }
  expect(normaliseHostname(`${unseen}a.example`)).toBe('a.example');
});

test.each<[string, (size: number) => string]>([
  [
    'distinct ideographs',
    (size) => [...Array(size).keys()].map((at) => String.fromCodePoint(0x4e00 + (at % 20_000))).join(''),
  ],
  ['marks in turns', (size) => `a${'\u0301\u0316'.repeat(size / 2)}.example`],
  ['labels', (size) => 'é.'.repeat(size / 2)],
  ['what is not shown', (size) => `${'\u00ad'.repeat(size)}a.example`],
])('%s take time in proportion to their number', { tags: 'nightly' }, (_name, make) => {
  const hundred = (size: number) => Array.from({ length: 100 }, () => make(size));
  const read = (texts: readonly string[]) => texts.map(normaliseHostname);
  expect(superlinear(hundred, read, { from: 64, to: 4_096 })).toBeUndefined();
});
