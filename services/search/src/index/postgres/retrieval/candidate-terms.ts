import { type WeighedTerm, weightOf } from '../../../ranking/weigh-terms.ts';
import { costOf, observationsIn, type PartitionSize, type SearchedCorpus } from './retrieval-cost.ts';

/** Which terms retrieve candidates. All terms are scored; those that were dropped only retrieve none by themselves. */
export interface CandidateTerms {
  readonly terms: readonly WeighedTerm[];
  readonly dropped: readonly WeighedTerm[];
  /** What the matches of `terms` cost, at most, in matches that are scored. */
  readonly expected: number;
}

/**
 * Takes terms from the weightiest on, mostly the rarest, as long as their matches cost no more than `budget`; the first
 * is always taken (decision 0020).
 */
export function chooseCandidateTerms(
  terms: readonly WeighedTerm[],
  searched: SearchedCorpus,
  budget: number,
): CandidateTerms {
  const chosen: WeighedTerm[] = [];
  const dropped: WeighedTerm[] = [];
  let expected = 0;
  for (const term of terms.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    const more = costOf(term.documents, searched);
    const fits = chosen.length === 0 || expected + more <= budget;
    (fits ? chosen : dropped).push(term);
    if (fits) expected += more;
  }
  return { terms: chosen, dropped, expected };
}

/**
 * The oldest partition to look into when those that are searched, the newest first, hold more than `most` of `expected`
 * matches: as many of the newest as fit, at least one. Undefined when all fit.
 */
export function oldestPartitionWithin(
  searched: readonly PartitionSize[],
  expected: number,
  most: number,
): string | undefined {
  if (expected <= most) return undefined;
  const room = (observationsIn(searched) * most) / expected;
  let taken = 0;
  const past = searched.findIndex((partition) => {
    taken += partition.observations;
    return taken > room;
  });
  return searched[Math.max(0, past - 1)]?.partition;
}
