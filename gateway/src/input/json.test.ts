import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidInput } from '../errors/public-error.ts';
import { parseJson } from './json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

test('what JSON.stringify writes of whole numbers, texts, lists and objects is read back', () => {
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
  ['half a surrogate pair', '"\\ud800"'],
  ['NUL', '"a\\u0000b"'],
  ['malformed JSON', '{"a":'],
  ['two values', '{} {}'],
  ['a byte order mark', '\ufeff{}'],
  ['nothing', ''],
])('%s is refused', (_name, text) => {
  expect(() => parse(text)).toThrow(InvalidInput);
});

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(InvalidInput);
});

test.each(['1e2', '10.0', '100e-2', '1.50e1', '-0', '0e-9', '9007199254740991'])(
  'the whole number %s is accepted',
  (text) => {
    expect(parse(text)).toBe(Number(text));
  },
);

test('the same key in different objects, and keys inside texts, are no duplicates', () => {
  expect(parse('{"a":{"a":[{"a":"{\\"a\\":1}"}]},"b":{"a":1}}')).toBeTruthy();
  expect(parse(`${'['.repeat(16)}${']'.repeat(16)}`)).toBeTruthy();
});

function wellFormed() {
  return fc.string({ unit: 'grapheme' }).filter((text) => text !== '__proto__' && !text.includes('\0'));
}
