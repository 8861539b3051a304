import { expect, test } from 'vitest';
import { checkTarget, mirrored } from './target.ts';

const MIRRORS = new Map([['files.example', 'http://127.0.0.1:8080']]);
const SOURCE = { hosts: ['files.example'] };

test.each([
  ['/a/b.csv?page=2', '/a/b.csv?page=2'],
  ['//elsewhere.example/b.csv?page=2', '//elsewhere.example/b.csv?page=2'],
  ['/\\elsewhere.example/b.csv', '//elsewhere.example/b.csv'],
  ['///elsewhere.example', '///elsewhere.example'],
])('a mirror answers for its host whatever the path is: %s', (path, asked) => {
  const address = checkTarget(SOURCE, `https://files.example${path}`);
  expect(mirrored(address, MIRRORS).href).toBe(`http://127.0.0.1:8080${asked}`);
});

test('a host without a mirror is asked itself', () => {
  const address = new URL('https://other.example/a?b=c');
  expect(mirrored(address, MIRRORS).href).toBe(address.href);
});
