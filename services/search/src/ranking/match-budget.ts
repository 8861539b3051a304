import type { BucketSize } from './lexicon.ts';
import { type WeighedTerm, weightOf } from './weigh-terms.ts';

/** Which terms fetch candidates. All terms weigh; those left out only fetch none. */
export interface MatchSet {
  readonly terms: readonly WeighedTerm[];
  readonly dropped: readonly WeighedTerm[];
  /** Documents that the terms match together, at most. */
  readonly expected: number;
}

/**
 * Takes terms from the weightiest on, mostly the rarest, as long as they match no more than `budget` documents together;
 * the first is always taken (search.md, match set by budget).
 */
export function chooseMatchSet(terms: readonly WeighedTerm[], windowShare: number, budget: number): MatchSet {
  const chosen: WeighedTerm[] = [];
  const dropped: WeighedTerm[] = [];
  let expected = 0;
  for (const term of terms.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    const matches = term.documents * windowShare;
    const fits = chosen.length === 0 || expected + matches <= budget;
    (fits ? chosen : dropped).push(term);
    if (fits) expected += matches;
  }
  return { terms: chosen, dropped, expected };
}

/** Share of all observations that the searched buckets hold, 0..1. */
export function searchedShare(buckets: readonly BucketSize[]): number {
  const all = entriesOf(buckets);
  return all === 0 ? 1 : entriesOf(buckets.filter((bucket) => bucket.searched)) / all;
}

/**
 * The oldest bucket to look into when the searched ones hold more than `most` of `expected` matches: as many of the
 * newest as fit, at least one. Undefined when all fit.
 */
export function oldestWithin(buckets: readonly BucketSize[], expected: number, most: number): string | undefined {
  if (expected <= most) return undefined;
  const searched = buckets.filter((bucket) => bucket.searched);
  const room = (entriesOf(searched) * most) / expected;
  let taken = 0;
  const past = searched.findIndex((bucket) => {
    taken += bucket.entries;
    return taken > room;
  });
  return searched[Math.max(0, past - 1)]?.bucket;
}

function entriesOf(buckets: readonly BucketSize[]): number {
  return buckets.reduce((sum, bucket) => sum + bucket.entries, 0);
}
