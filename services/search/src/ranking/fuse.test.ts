import { expect, test } from 'vitest';
import { cosine, fuseScores, weightBySimilarity } from './fuse.ts';

test('without a weight, or where all are alike, only words order', () => {
  expect(fuseScores([0.8, 0.4], [0.1, 0.9], 0)).toEqual([0.8, 0.4]);
  const [first = 0, second = 0] = fuseScores([0.8, 0.4], [0.5, 0.5], 0.5);
  expect(first).toBeGreaterThan(second);
});

test('a similarity counts by its rank among the others, whatever the scale of the model', () => {
  const near = fuseScores([0.8, 0.4, 0.2], [0.7, 0.71, 0.72], 0.5);
  const far = fuseScores([0.8, 0.4, 0.2], [-1, 0, 1], 0.5);
  for (const [at, score] of near.entries()) expect(score).toBeCloseTo(far[at] ?? 0, 9);
  expect(far[2]).toBeCloseTo(0.5 * 0.2 + 0.5 * 0.8, 9);
});

test('scores stay between 0 and 1', () => {
  for (const score of fuseScores([1, 0, 0.5], [0, 1, 0.3], 0.7)) expect(score >= 0 && score <= 1).toBe(true);
});

function weigh(scores: readonly number[], similarities: readonly number[], weight: number): number[] {
  return [...weightBySimilarity(Float64Array.from(scores), Float64Array.from(similarities), weight)];
}

test('a similarity lowers a score by its distance to the greatest, and only the two order two companies', () => {
  const [best = 0, like = 0, unlike = 0] = weigh([0.5, 0.4, 0.9], [0.9, 0.9, 0.8], 18);
  expect([best, like]).toEqual([0.5, 0.4]);
  expect(unlike).toBeCloseTo(0.9 * Math.exp(-1.8), 9);
  const [alone = 0, other = 0] = weigh([0.4, 0.9], [0.9, 0.8], 18);
  expect(alone / other).toBeCloseTo(like / unlike, 9);
});

test('an unknown similarity is the average, and with fewer than nine in ten known the scores stay', () => {
  const scores = Array<number>(10).fill(0.5);
  const similarities = [Number.NaN, 0.8, ...Array<number>(4).fill(0.9), ...Array<number>(4).fill(0.7)];
  const [unknown = 0, average = 0] = weigh(scores, similarities, 10);
  expect(unknown).toBeCloseTo(average, 9);
  expect(weigh(scores, [Number.NaN, ...similarities.slice(0, 9)], 10)).toEqual(scores);
});

test('the cosine matches the angle, and is 0 for a vector without length', () => {
  expect(cosine(Float32Array.of(3, 4), Float32Array.of(6, 8))).toBeCloseTo(1, 6);
  expect(cosine(Float32Array.of(1, 0), Float32Array.of(0, 1))).toBe(0);
  expect(cosine(Float32Array.of(1, 0), Float32Array.of(-2, 0))).toBeCloseTo(-1, 6);
  expect(cosine(Float32Array.of(0, 0), Float32Array.of(1, 1))).toBe(0);
});
