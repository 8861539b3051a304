import { newToken } from '@ces/ledger/credential/token';
import { expect, test } from 'vitest';
import { formsOf, found } from './token-forms.ts';

test('a token is found in every form, wherever it is, and another one is not', () => {
  const token = newToken(false);
  const needles = [...formsOf('sought', token), ...formsOf('other', newToken(false))];
  for (const { what, bytes } of formsOf('sought', token))
    for (const [before, after] of [
      [0, 0],
      [1, 3],
      [70_000, 0],
    ] as const)
      expect(found(needles, Buffer.concat([Buffer.alloc(before, 'c'), bytes, Buffer.alloc(after, 'c')]))).toContain(
        what,
      );
  expect(found(needles, Buffer.from(`${token.slice(0, 13)} ${newToken(false)}`))).toEqual([]);
  const logged = JSON.stringify({ authorization: `Bearer ${token}` });
  expect(found(needles, Buffer.from(logged))).toEqual(['sought: first half', 'sought: second half']);
});
