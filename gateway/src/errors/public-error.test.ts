import { expect, test } from 'vitest';
import { PublicError } from './public-error.ts';

test('an error does not repeat a credential that was sent in the wrong place', () => {
  const [live, test] = [`ces_live_${'aZ09'.repeat(9)}bc`, `ces_test_${'x'.repeat(38)}`];
  const { error } = new PublicError('invalid_search', `Unknown fields: \`${live}\`, \`${test}\`, \`query_\`.`).body();
  expect(error.message).toBe('Unknown fields: `ces_live_…`, `ces_test_…`, `query_`.');
});
