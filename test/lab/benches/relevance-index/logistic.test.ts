import { expect, test } from 'vitest';
import { fitLogistic, logistic } from './logistic.ts';
import { seeded } from './resampling.ts';

test('a regression finds the weights that outcomes were drawn by', () => {
  const random = seeded(1);
  const weights = [-1, 2, 0.5];
  const examples = Array.from({ length: 20_000 }, () => {
    const features = [1, random() * 2 - 1, random() * 4];
    return { features, outcome: random() < logistic(features, weights), weight: 1 };
  });
  for (const [at, weight] of fitLogistic(examples).entries()) expect(weight).toBeCloseTo(weights[at] ?? 0, 0);
});

test('an example counts as much as it weighs', () => {
  const one = { features: [1], outcome: true, weight: 3 };
  const [constant = 0] = fitLogistic([one, { ...one, outcome: false, weight: 1 }]);
  expect(logistic([1], [constant])).toBeCloseTo(0.75, 6);
});
