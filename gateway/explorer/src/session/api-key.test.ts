import { expect, test } from 'vitest';
import { accountKindOf } from './api-key.ts';

test('the prefix of a key says whether its account is for tests or live', () => {
  expect(accountKindOf('ces_test_abc')).toBe('test');
  expect(accountKindOf('ces_live_abc')).toBe('live');
  expect(accountKindOf('something else')).toBe('unknown');
});
