import { expect, test } from 'vitest';
import { mutate } from './mutate.ts';

test('an expression is found whatever its layout, and wildcards keep what they stood for', () => {
  const change = { expression: 'store($pool, $$rest)', becomes: 'settle($$rest), store($pool, $$rest)' };
  expect(mutate('const a = store(\n  tools.pool,\n  claim, { b: 1 },\n);', change)).toBe(
    'const a = (settle(claim, { b: 1 }), store(tools.pool, claim, { b: 1 }));',
  );
});

test('words of SQL are found in strings however they are spaced, and nowhere else', () => {
  const change = { sql: 'where a = $1 and b', becomes: 'where b' };
  expect(mutate('/* where a = $1 and b */ const x = `select y where a = $1\n  and b`;', change)).toBe(
    '/* where a = $1 and b */ const x = `select y where b`;',
  );
});

test.each([
  ['is not there', 'f(1)', 'g($a)'],
  ['stands there 2 times', 'g(1) + g(2)', 'g($a)'],
])('what %s is said, not passed over', (complaint, source, expression) => {
  expect(() => mutate(source, { expression, becomes: '0' })).toThrow(complaint);
});
