import { expect, test } from 'vitest';
import { parseRateLimit } from './allowance.ts';

test('the header of an answer says what is left of window and week', () => {
  expect(parseRateLimit('"window";r=59;t=18000, "week";r=499;t=604800')).toEqual({ window: 59, week: 499 });
});

test('an answer without the header, or with only another policy, yields nothing', () => {
  expect(parseRateLimit(null)).toBeUndefined();
  expect(parseRateLimit('"calls";r=5;t=1')).toBeUndefined();
});
