import { expect, test } from 'vitest';
import { nthHighest } from './order.ts';

test.each([1, 2, 7, 50, 199, 200, 500])('the least of the %i highest is what an order of all gives', (most) => {
  let state = most;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state;
  };
  for (let round = 0; round < 50; round += 1) {
    const values = Float64Array.from({ length: 200 }, () => next() % 40);
    const expected = values.toSorted()[200 - most] ?? Number.NEGATIVE_INFINITY;
    expect(nthHighest(values, most)).toBe(most < 200 ? expected : Number.NEGATIVE_INFINITY);
  }
});
