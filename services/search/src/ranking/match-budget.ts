import type { WeighedTerm } from './weigh-terms.ts';

/** Which terms fetch candidates. All terms weigh; those left out only fetch none. */
export interface MatchSet {
  readonly terms: readonly WeighedTerm[];
  readonly dropped: readonly WeighedTerm[];
}

/** Takes terms from the rarest on until they would match more than `budget` documents; always at least one (search.md). */
export function chooseMatchSet(terms: readonly WeighedTerm[], windowShare: number, budget: number): MatchSet {
  const rarestFirst = terms.toSorted((a, b) => a.documents - b.documents);
  let expected = 0;
  const fits = rarestFirst.findIndex((term) => {
    expected += term.documents * windowShare;
    return expected > budget;
  });
  const cut = fits < 0 ? rarestFirst.length : Math.max(1, fits);
  return { terms: rarestFirst.slice(0, cut), dropped: rarestFirst.slice(cut) };
}
