import { expect, test } from 'vitest';
import { percentile } from './figures.ts';

test('a percentile is the value at its nearest rank', () => {
  const values = [5, 1, 4, 2, 3, 6, 10, 9, 8, 7];
  expect([0.5, 0.9, 0.95, 0.99, 1].map((share) => percentile(values, share))).toEqual([5, 9, 10, 10, 10]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.5)).toBe(0);
});
