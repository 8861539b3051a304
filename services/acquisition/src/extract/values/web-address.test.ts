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

test('none counts that holds the address of a person, however it is escaped', () => {
  const home = 'https://home.example/';
  for (const address of [
    'https://f.example/ask?to=jane.roe@agency.example',
    'https://f.example/ask?to=jane.roe%40agency.example',
    'https://f.example/go?u=mailto%3Ajane%2540agency.example',
    'https://jane.roe@agency.example/',
  ])
    expect(firstWebAddress([address], home)).toBe(home);
  for (const address of [
    'https://g.example/@quay.example/video',
    'https://g.example/613-555-0142',
    'https://g.example/a%20b@2x.png',
  ])
    expect(firstWebAddress([address], home)).toBe(address);
});
