import { superlinear } from '@ces/test/support/growth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidInput } from '../errors/public-error.ts';
import { parseJson } from './json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

test('output of JSON.stringify for integers, texts, lists and objects is read back', () => {
  const leaf = fc.oneof(fc.maxSafeInteger(), fc.boolean(), fc.constant(null), wellFormed());
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie('tree')), fc.dictionary(wellFormed(), tie('tree'))),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value);
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['duplicate keys', '{"a":1,"a":2}'],
  ['duplicate keys in another spelling', '{"a":1,"\\u0061":2}'],
  ['duplicate keys deep inside', '{"f":[{"a":1},{"b":{"c":1,"c":1}}]}'],
  ['__proto__', '{"__proto__":{}}'],
  ['__proto__ in another spelling', '{"f":{"__proto_\\u005f":1}}'],
  ['nesting deeper than 16', `${'['.repeat(17)}${']'.repeat(17)}`],
  ['a fraction', '{"limit":1.5}'],
  ['a fraction that would round to a whole', '1.00000000000000000000000001'],
  ['a number above 2^53 - 1', '9007199254740993'],
  ['a number far above', '1e400'],
  ['a tiny number', '1e-400'],
  ['a fraction by its exponent', '10e-2'],
  ['a fraction after many zeros', '100.0010e2'],
  ['half a surrogate pair', '"\\ud800"'],
  ['NUL', '"a\\u0000b"'],
  ['malformed JSON', '{"a":'],
  ['two values', '{} {}'],
  ['a byte order mark', '\ufeff{}'],
  ['nothing', ''],
])('%s is refused', (_name, text) => {
  expect(() => parse(text)).toThrow(InvalidInput);
});

test.each([
  ['{"a":1,"a":2}', '`a` is given twice.'],
  ['{"f":[{"a":1},{"b":{"c":1,"c":1}}]}', '`f[1].b.c` is given twice.'],
  ['{"f":[{},{"__proto__":1}]}', '`f[1].__proto__` is not allowed.'],
  [
    '{"filters":{"company_ids":[1,2.5]}}',
    '`filters.company_ids[1]` must be a whole number of at most 9007199254740991.',
  ],
  ['{"a":[[1,2],[3,1e400]]}', '`a[1][1]` must be a whole number of at most 9007199254740991.'],
  ['{"a":{"b":1},"query":"\\u0000"}', '`query` contains NUL or half a surrogate pair.'],
  ['{"a":{"\\ud800":1}}', '`a` contains NUL or half a surrogate pair.'],
  ['"\\ud800"', 'The body contains NUL or half a surrogate pair.'],
])('the refusal of %s begins with the path', (text, sentence) => {
  expect(() => parse(text)).toThrow(new InvalidInput(sentence));
});

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(InvalidInput);
});

test.each(['1e2', '10.0', '100e-2', '1.50e1', '-0', '0e-9', '9007199254740991', '-120.00e-1', '0.000', '1.0e0'])(
  'the whole number %s is accepted',
  (text) => {
    expect(parse(text)).toBe(Number(text));
  },
);

test('the same key in different objects, and keys inside texts, are no duplicates', () => {
  expect(parse('{"a":{"a":[{"a":"{\\"a\\":1}"}]},"b":{"a":1}}')).toBeTruthy();
  expect(parse(`${'['.repeat(16)}${']'.repeat(16)}`)).toBeTruthy();
});

test('an object of more members than any has is refused before they are compared', () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":0`).join(',')}}`;
  expect(Object.keys(parse(members(1_000)) as object)).toHaveLength(1_000);
  expect(() => parse(members(1_001))).toThrow('The body has more than 1,000 members.');
});

test('a list of more items than any has is refused before they are looked at', () => {
  const items = (count: number) => `{"a":[${Array(count).fill('{}').join(',')}]}`;
  expect(parse(items(200))).toBeTruthy();
  expect(() => parse(items(201))).toThrow('`a` has too many items: at most 200.');
});

test.each<[string, (size: number) => string]>([
  ['zeros between digits', (size) => `1${'0'.repeat(size)}1`],
  ['zeros between decimals', (size) => `1.${'0'.repeat(size)}1`],
  ['zeros between digits, and an exponent', (size) => `1${'0'.repeat(size)}1e-1`],
  ['digits', (size) => '9'.repeat(size)],
  ['zeros', (size) => `0.${'0'.repeat(size)}`],
  ['digits of an exponent', (size) => `1e${'1'.repeat(size)}`],
  ['a text of quotes', (size) => `"${'\\"'.repeat(size)}"`],
  ['keys', (size) => `{${Array.from({ length: size / 8 }, (_, at) => `"${at}":0`).join(',')}}`],
  ['items', (size) => `[${'0,'.repeat(size)}0]`],
  ['levels', (size) => '['.repeat(size)],
])('%s are read in time that grows with their number and no faster', { tags: 'nightly' }, (_name, make) => {
  const read = (text: string) => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
    }
  };
  expect(superlinear(make, read, { from: 4096, to: 131_072 })).toBeUndefined();
});

function wellFormed() {
  return fc.string({ unit: 'grapheme' }).filter((text) => text !== '__proto__' && !text.includes('\0'));
}
