import { readSettings } from '@ces/chassis/service/settings';
import { expect, test } from 'vitest';
import { digestOf, peppers } from './pepper.ts';

const HEX = 'ab'.repeat(32);

function read(text: string) {
  return readSettings({ peppers: peppers('CES_LEDGER_PEPPERS', 'secrets') }, { CES_LEDGER_PEPPERS: text }).peppers;
}

test('the first pepper signs, a second one may live beside it', () => {
  expect(read(`b=${HEX},a=${'01'.repeat(40)}`).map(({ name, secret }) => [name, secret.length])).toEqual([
    ['b', 32],
    ['a', 40],
  ]);
});

test.each(['', 'a=', 'a=xyz', `a=${HEX.slice(2)}`, `a=${HEX}f`, `a=${HEX},b=${HEX},c=${HEX}`])(
  'a setting that is no pepper is a mistake of the configuration: %s',
  (text) => {
    expect(() => read(text)).toThrow('CES_LEDGER_PEPPERS');
  },
);

test('digests differ by token and by pepper', () => {
  const [one, two] = [
    { name: 'a', secret: Buffer.from(HEX, 'hex') },
    { name: 'b', secret: Buffer.alloc(32) },
  ];
  const digests = [digestOf('x', one), digestOf('y', one), digestOf('x', two)].map((digest) => digest.toString('hex'));
  expect(new Set(digests).size).toBe(3);
  expect(digestOf('x', one)).toEqual(digestOf('x', one));
});
