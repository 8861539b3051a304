import { describe, expect, test } from 'vitest';
import { ndcg } from './measures.ts';

describe('ndcg', () => {
  test('equals what is computed by hand', () => {
    // Gains 1 0 1 with three relevant: (1 + 1/2) / (1 + 1/log2(3) + 1/2).
    expect(ndcg([true, false, true], 3, 10)).toBeCloseTo(1.5 / (1 + 0.6309297536 + 0.5), 9);
    expect(ndcg([false, true], 1, 10)).toBeCloseTo(0.6309297536, 9);
  });

  test('is 1 for a perfect order, whatever follows, and 0 for none', () => {
    expect(ndcg([true, true, false, false], 2, 10)).toBe(1);
    expect(ndcg([false, false], 2, 10)).toBe(0);
    expect(ndcg([], 2, 10)).toBe(0);
    expect(ndcg([true], 0, 10)).toBe(0);
  });

  test('looks no deeper than its depth, and is normalised by what fits into it', () => {
    const ten = Array.from({ length: 10 }, () => true);
    expect(ndcg([...ten, false], 50, 10)).toBe(1);
    expect(ndcg([...Array.from({ length: 10 }, () => false), true], 1, 10)).toBe(0);
  });
});
