import { readSettings } from '@ces/chassis/service/settings';
import { expect, test } from 'vitest';
import { digestOf, digestsOf, type Peppers, pepperChangeOf, pepperStateOf, peppers } from './pepper.ts';

const HEX = 'ab'.repeat(32);

function read(text: string) {
  return readSettings({ peppers: peppers('CES_LEDGER_PEPPERS', 'secrets') }, { CES_LEDGER_PEPPERS: text }).peppers;
}

test('any number of peppers is allowed, the newest first', () => {
  expect(read(`b=${HEX},a=${'01'.repeat(40)}`).map(({ name, secret }) => [name, secret.length])).toEqual([
    ['b', 32],
    ['a', 40],
  ]);
  const many = Array.from({ length: 20 }, (_, at) => `p${at}=${String(at + 10).repeat(32)}`);
  expect(read(many.join(',')).map(({ name }) => name)).toEqual(many.map((one) => one.split('=')[0]));
});

test.each(['', 'a=', 'a=xyz', `a=${HEX.slice(2)}`, `a=${HEX}f`, `a=${HEX},b=${HEX}`])(
  'a setting that is not a pepper is a configuration error: %s',
  (text) => {
    expect(() => read(text)).toThrow('CES_LEDGER_PEPPERS');
  },
);

test('digests differ by token and by pepper', () => {
  const [one, two] = [
    { name: 'a', secret: Buffer.from(HEX, 'hex') },
    { name: 'b', secret: Buffer.alloc(32) },
  ];
  const digests = [digestOf('x', one), digestOf('y', one), digestOf('x', two)].map(({ digest }) =>
    digest.toString('hex'),
  );
  expect(new Set(digests).size).toBe(3);
  expect(digestOf('x', one)).toEqual(digestOf('x', one));
});

const [A, B, C] = ['a', 'b', 'c'].map((name, at) => ({ name, secret: Buffer.alloc(32, at) })) as [
  Peppers[0],
  Peppers[0],
  Peppers[0],
];
const at = (pepper: string, movedPepper?: string) => ({ pepper, movedPepper });
const moveUnder = (live: Peppers, ...stored: Parameters<typeof at>) =>
  pepperChangeOf(at(...stored), digestsOf('x', live));

test('a key moves to the newest pepper from wherever it is, once', () => {
  expect(moveUnder([B, A], 'a')).toEqual({ kind: 'move', from: 'a', to: digestOf('x', B) });
  expect(moveUnder([C, B, A], 'a', 'b')).toEqual({ kind: 'move', from: 'b', to: digestOf('x', C) });
  expect(moveUnder([B, A], 'b')).toBeUndefined();
  expect(moveUnder([B, A], 'a', 'b')).toBeUndefined();
});

test('a process with the previous settings does not move a credential back', () => {
  expect(moveUnder([A], 'a', 'b')).toBeUndefined();
  expect(moveUnder([B, A], 'b', 'c')).toBeUndefined();
});

test('a digest with a removed pepper is deleted once the key has moved to the newest', () => {
  expect(moveUnder([B], 'a', 'b')).toEqual({ kind: 'forget', pepper: 'a' });
  expect(moveUnder([C, B], 'a', 'b')).toEqual({ kind: 'move', from: 'b', to: digestOf('x', C) });
});

test('a key is at the newest pepper, needs an old one, or one that is missing', () => {
  expect(pepperStateOf(at('a', 'b'), [B, A])).toBe('newest');
  expect(pepperStateOf(at('a'), [B, A])).toBe('old');
  expect(pepperStateOf(at('a', 'b'), [C, A])).toBe('old');
  expect(pepperStateOf(at('a', 'b'), [C])).toBe('missing');
});
