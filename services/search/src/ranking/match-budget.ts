import { type WeighedTerm, weightOf } from './weigh-terms.ts';

/** Which terms fetch candidates. All terms weigh; those left out only fetch none. */
export interface MatchSet {
  readonly terms: readonly WeighedTerm[];
  readonly dropped: readonly WeighedTerm[];
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
  return { terms: chosen, dropped };
}
