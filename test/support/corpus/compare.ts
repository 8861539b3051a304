import fc from 'fast-check';
import { expect } from 'vitest';
import type { Matching } from './matching.ts';

const SEED = Number(process.env.CES_TEST_SEED ?? Date.now() % 1_000_000);
const RUNS = Number(process.env.CES_CORPUS_RUNS ?? 12);

/** `at a cap` proves nothing, because results may be missing. `nothing found` proves little. */
export type Outcome = 'compared' | 'nothing found' | 'at a cap';

/**
 * Checks a property against generated questions and expects that at least one comparison took
 * place.
 */
export async function holdForAll<T>(name: string, values: fc.Arbitrary<T>, property: (value: T) => Promise<Outcome>) {
  const outcomes: Record<Outcome, number> = { compared: 0, 'nothing found': 0, 'at a cap': 0 };
  const tried = fc.asyncProperty(values, async (value) => {
    outcomes[await property(value)] += 1;
  });
  try {
    await fc.assert(tried, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  } finally {
    console.log(`${name}: ${JSON.stringify(outcomes)}; CES_TEST_SEED=${SEED} CES_CORPUS_RUNS=${RUNS} repeats it`);
  }
  expect(outcomes.compared).toBeGreaterThan(0);
}

export function expectWithin(smaller: Matching, larger: Matching): Outcome {
  if (!smaller.complete || !larger.complete) return 'at a cap';
  const lost = [...smaller.companies.keys()].filter((id) => !larger.companies.has(id));
  expect(lost).toEqual([]);
  return smaller.companies.size > 0 ? 'compared' : 'nothing found';
}

export function expectExactly(found: Matching, companies: readonly number[]): Outcome {
  if (!found.complete) return 'at a cap';
  expect([...found.companies.keys()].toSorted(ascending)).toEqual(companies.toSorted(ascending));
  return companies.length > 0 ? 'compared' : 'nothing found';
}

function ascending(a: number, b: number): number {
  return a - b;
}
