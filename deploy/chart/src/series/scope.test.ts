import { expect, test } from 'vitest';
import { CHOSEN_SCOPE, NAMESPACE_SCOPE, RELEASE_SCOPE, withScope } from './scope.ts';

test('every selector of an expression gets the labels of the scope', () => {
  expect(withScope('max by (a) (x{a="1"}) > 3 or absent(y)', RELEASE_SCOPE)).toBe(
    'max by (a) (x{namespace="NAMESPACE",release="RELEASE",a="1"}) > 3 or absent(y{namespace="NAMESPACE",release="RELEASE"})',
  );
  expect(withScope('rate(x{}[1h] offset 1h)', NAMESPACE_SCOPE)).toBe('rate(x{namespace="NAMESPACE"}[1h] offset 1h)');
  expect(withScope('rate(x[$__rate_interval])', CHOSEN_SCOPE)).toBe(
    'rate(x{namespace="$namespace",release="$release"}[$__rate_interval])',
  );
});

test('a text that is not PromQL is refused', () => {
  expect(() => withScope('sum by (a', RELEASE_SCOPE)).toThrow('this is no PromQL');
});
