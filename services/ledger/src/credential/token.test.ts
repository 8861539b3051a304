import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isToken, newToken, prefixOf } from './token.ts';

test('a token has its mode, 32 random characters and a checksum of 6', () => {
  expect(newToken(false)).toMatch(/^ces_live_[0-9A-Za-z]{38}$/);
  expect(newToken(true)).toMatch(/^ces_test_[0-9A-Za-z]{38}$/);
  const token = newToken(false);
  expect(isToken(token)).toBe(true);
  expect(prefixOf(token)).toBe(token.slice(0, 13));
});

test('every character is about as likely as any other', () => {
  const counts = new Map<string, number>();
  const tokens = 2_000;
  for (let made = 0; made < tokens; made += 1)
    for (const character of newToken(false).slice(9, 41)) counts.set(character, (counts.get(character) ?? 0) + 1);
  const expected = (tokens * 32) / 62;
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.25);
});

test('a token with any one character changed is refused by its checksum', () => {
  const token = newToken(false);
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...'0Zz_é '), (at, character) => {
      const changed = token.slice(0, at) + character + token.slice(at + 1);
      expect(isToken(changed)).toBe(changed === token);
    }),
  );
});

test.each(['', 'ces_live_', 'Bearer x', 'ces_prod_'.padEnd(47, 'a'), ` ${newToken(false)}`, `${newToken(false)}\n`])(
  'a text that is not a token is refused: %j',
  (text) => {
    expect(isToken(text)).toBe(false);
  },
);
