import { expect, test } from 'vitest';
import { withFlagNames } from './flag-names.ts';

test.each([
  ['search', '`filters.kinds[0]` must be one of a, b.', '--kind must be one of a, b.'],
  ['search', '`filters.domains[2]` is not a hostname.', '--domain (number 3) is not a hostname.'],
  ['search', '`limit` must be at most `target`: lower one.', '--limit must be at most --target: lower one.'],
  ['observations', '`domains[0]` is not a hostname.', '--domain is not a hostname.'],
  ['lookup', '`domains[1]` is not a hostname.', '<id-or-domain> (number 2) is not a hostname.'],
  ['lookup', '`ids[]` has too many items.', '<id-or-domain> has too many items.'],
  ['search', 'Idempotency-Key is too long.', '--key is too long.'],
  ['search', 'Use `constructor` or `scope`.', 'Use `constructor` or `scope`.'],
])('ces %s says of %j: %j', (verb, message, shown) => {
  expect(withFlagNames(message, verb)).toBe(shown);
});
