import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberText } from './member-text.ts';

test('the text of a member parses to the same value as JSON.parse finds, whatever surrounds it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (value, others, last) => {
      const text = JSON.stringify({ ...others, params: { ...others, arguments: value, zz: last }, zz: last }, null, 1);
      expect(JSON.parse(memberText(text, ['params', 'arguments']) ?? '')).toEqual(JSON.parse(text).params.arguments);
    }),
  );
});

test('a member of that name elsewhere is not it', () => {
  for (const text of [
    '{"arguments":1}',
    '{"params":[{"arguments":1}]}',
    '{"params":{"x":{"arguments":1}}}',
    '"params"',
  ])
    expect(memberText(text, ['params', 'arguments'])).toBeUndefined();
});
