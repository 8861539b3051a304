import { expect, test } from 'vitest';
import { normaliseHostname } from './hostname.ts';

test.each([
  [' Example.COM. ', 'example.com'],
  ['www.example.com', 'www.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['localhost', 'localhost'],
  ['_dmarc.a.ca', '_dmarc.a.ca'],
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
  '[::1]',
  '-a.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
])('%j is no hostname', (given) => {
  expect(normaliseHostname(given)).toBeUndefined();
});
