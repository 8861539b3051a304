import { expect, test } from 'vitest';
import { unitsInWords } from './units.ts';

test('one unit is a unit, others are units', () => {
  expect(unitsInWords({ request: 1, delivered: 1 })).toBe('1 request unit + 1 delivered unit');
  expect(unitsInWords({ request: 0, delivered: 1200 })).toBe('0 request units + 1,200 delivered units');
});
