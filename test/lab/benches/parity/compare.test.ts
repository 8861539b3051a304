import { expect, test } from 'vitest';
import { seeded } from '../relevance-index/resampling.ts';
import { compare, findMisses, overlapOf, type Pair, type Ranked } from './compare.ts';

function ranked(companies: readonly number[], ndcg = 0.5, declaredCut = false): Ranked {
  return { companies: companies.map(BigInt), ndcg, declaredCut, ms: 1 };
}

function pair(family: string, reference: Ranked, candidate: Ranked): Pair {
  return { queryId: `${family}1`, family, reference, candidate };
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

test('overlap is the share of the first fifty that both have, in whatever order', () => {
  expect(overlapOf({ reference: ranked([1, 2, 3, 4]), candidate: ranked([4, 3, 2, 9]) })).toBe(0.75);
  const swapped = [...upTo(49), 100, 50];
  expect(overlapOf({ reference: ranked(upTo(60)), candidate: ranked(swapped) })).toBe(0.98);
});

test('what the other engine alone found counts against the overlap, whichever it is', () => {
  const pairOf = { reference: ranked([1]), candidate: ranked([1, 2]) };
  expect(overlapOf(pairOf)).toBe(0.5);
  expect(overlapOf({ reference: pairOf.candidate, candidate: pairOf.reference })).toBe(0.5);
  expect(overlapOf({ reference: ranked([]), candidate: ranked([1]) })).toBe(0);
  expect(overlapOf({ reference: ranked([]), candidate: ranked([]) })).toBe(1);
});

test('families are compared by their letters, and all together last', () => {
  const rows = compare(
    [
      pair('B_tenders', ranked([1], 0.2), ranked([2], 0.4, true)),
      pair('A_profiles', ranked([1, 2], 0.9, true), ranked([2, 1], 0.8)),
    ],
    seeded(1),
  );
  expect(rows.map(({ family, queries }) => [family, queries])).toEqual([
    ['A', 1],
    ['B', 1],
    ['all', 2],
  ]);
  expect(rows.map(({ overlap }) => [overlap.mean, overlap.shareOfGood])).toEqual([
    [1, 1],
    [0, 0],
    [0.5, 0.5],
  ]);
  expect(rows.map(({ declaredCut }) => declaredCut)).toEqual([
    { reference: 1, candidate: 0 },
    { reference: 0, candidate: 1 },
    { reference: 1, candidate: 1 },
  ]);
  expect(rows[2]?.difference.mean).toBeCloseTo(0.05);
  expect(rows[2]?.ndcg.candidate).toBeCloseTo(0.6);
});

test('engines are equals from a mean overlap of .93 on, where the interval lies above -.02', () => {
  const [all] = compare([pair('A', ranked(upTo(50)), ranked(upTo(50)))], seeded(1));
  if (!all) throw new Error('nothing was compared');
  expect(findMisses(all)).toEqual([]);
  const missed = { ...all, overlap: { ...all.overlap, mean: 0.9299 }, difference: { mean: 0, low: -0.02, high: 0.1 } };
  expect(findMisses(missed)).toHaveLength(2);
  expect(findMisses({ ...missed, overlap: { ...all.overlap, mean: 0.93 } })).toHaveLength(1);
});
