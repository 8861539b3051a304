import { expect, test } from 'vitest';
import { sumOfUnits } from './total-units.ts';

const page = (delivered: number, replayed: boolean) => ({ units: { request: 1, delivered, fresh: 0 }, replayed });

test('pages that were charged now are summed apart from replays', () => {
  expect(sumOfUnits([page(10, false), page(10, false), page(6, true)])).toEqual({
    charged: { request: 2, delivered: 20 },
    replayed: { request: 1, delivered: 6 },
  });
});

test('an answer that was only replayed charged nothing', () => {
  expect(sumOfUnits([page(0, true)])).toEqual({ charged: undefined, replayed: { request: 1, delivered: 0 } });
});
