import type { BucketSize } from '../../../ranking/term-statistics.ts';
import { type WeighedTerm, weightOf } from '../../../ranking/weigh-terms.ts';
import { effortOf, entriesOf, type Searched } from './retrieval-cost.ts';

/** Which terms fetch candidates. All terms weigh; those left out only fetch none by themselves. */
export interface MatchSet {
  readonly terms: readonly WeighedTerm[];
  readonly dropped: readonly WeighedTerm[];
  /** What the matches of `terms` take, at most, in matches that are scored. */
  readonly expected: number;
}

/**
 * Takes terms from the weightiest on, mostly the rarest, as long as their matches take no more than `budget`; the first
 * is always taken (search.md, match set by budget).
 */
export function chooseMatchSet(terms: readonly WeighedTerm[], searched: Searched, budget: number): MatchSet {
  const chosen: WeighedTerm[] = [];
  const dropped: WeighedTerm[] = [];
  let expected = 0;
  for (const term of terms.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    const more = effortOf(term.documents, searched);
    const fits = chosen.length === 0 || expected + more <= budget;
    (fits ? chosen : dropped).push(term);
    if (fits) expected += more;
  }
  return { terms: chosen, dropped, expected };
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
