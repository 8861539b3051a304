// @module-tag nightly
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attacksOf, attackText } from './attacks.ts';
import { countSteps, matchesOf } from './count-steps.ts';
import { patternsOfSources } from './patterns.ts';
import { compile } from './program.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const inV8 = (source: string, flags: string, text: string) =>
  Array.from(text.matchAll(new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)), ([match]) => match);

test.each([
  [/a*?b/, 'aaab ab b'],
  [/(?:a|ab)(?:c|bcd)(?:d*)/, 'abcd abcdd'],
  [/(?:a*)*b?/, 'aaab'],
  [/(?:){3,5}x/, 'xx'],
  [/(\w+) is \1/, 'this is this, a is b'],
  [/(?<=(\d{3}))(?=\1)/, '123123 555555'],
  [/(?<!\s)\s+$/, 'a b  '],
  [/^\w+$/m, 'one\ntwo three\nfour'],
  [/\b\w{2,3}?\b/, 'a ab abc abcd'],
  [/(?:(a)|b)*\1/, 'ababa abb'],
  [/\p{Lu}./u, 'A😀 Éa'],
  [/(.)\1/iu, 'aA éÉ xy'],
  [/[^\d^-]+/, '1-a^b2'],
])('%s finds what V8 finds', (expression, text) => {
  expect(matchesOf(compile(expression.source, expression.flags), text)).toEqual(
    inV8(expression.source, expression.flags, text),
  );
});

test('every expression of the sources finds what V8 finds in texts made from it', () => {
  const { written } = patternsOfSources(ROOT);
  for (const { source, flags } of written) {
    const program = compile(source, flags);
    for (const attack of attacksOf(source, flags).slice(0, 20)) {
      const text = attackText(attack, 12);
      expect(matchesOf(program, text), `/${source}/${flags} in ${text}`).toEqual(inV8(source, flags, text));
    }
  }
});

test('expressions drawn by chance find what V8 finds', () => {
  const piece = fc.constantFrom('a', 'b', '[ab]', '.', '\\b', '^', '$', '(?=a)', '(?!b)', '(?<=a)', '(?<!b)', '\\1');
  const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '*?', '+?', '??');
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 3 },
      piece,
      fc
        .tuple(fc.constantFrom('(', '(?:'), tie('expression'), quantifier)
        .map(([open, body, q]) => `${open}${body})${q}`),
      fc.tuple(tie('expression'), tie('expression')).map((both) => both.join('')),
      fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(?:${one}|${other})`),
    ),
  }));
  fc.assert(
    fc.property(expression, fc.stringMatching(/^[ab]{0,8}$/), (source, text) => {
      expect(matchesOf(compile(source, ''), text), `/${source}/`).toEqual(inV8(source, '', text));
    }),
    { numRuns: 3_000, seed: 7 },
  );
});

test('steps grow with the square of a text where every start reads it to its end', () => {
  const program = compile('a+$', '');
  const steps = (size: number) => countSteps(program, `${'a'.repeat(size)}b`, 1e9);
  expect(steps(400) / steps(100)).toBeGreaterThan(14);
  expect(countSteps(compile('(?:a+)+$', ''), `${'a'.repeat(60)}b`, 10_000)).toBe(10_000);
});
