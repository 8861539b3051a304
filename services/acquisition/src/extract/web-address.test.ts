import { expect, test } from 'vitest';
import { firstWebAddress } from './web-address.ts';

test('the first address of the web counts', () => {
  const candidates = [
    undefined,
    7,
    'null',
    'ftp://a.example/',
    'https://b.example/x y',
    'http://c.example/',
    'https://d.example/',
  ];
  expect(firstWebAddress(candidates, 'https://home.example/')).toBe('http://c.example/');
});

test('no script, file or overlong address is one', () => {
  const candidates = ['javascript:alert(1)', 'notices.csv', `https://e.example/${'e'.repeat(2048)}`, 'https://'];
  expect(firstWebAddress(candidates, 'https://home.example/')).toBe('https://home.example/');
});
