import { type WeighedTerm, weightOf } from '../../../ranking/weigh-terms.ts';
import { costOf, observationsIn, type PartitionSize, type SearchedCorpus } from './retrieval-cost.ts';

/** All terms are scored. Dropped terms retrieve no candidates by themselves. */
export interface CandidateTerms {
  readonly terms: readonly WeighedTerm[];
  readonly dropped: readonly WeighedTerm[];
  readonly expected: number;
}

/**
 * Chooses the heaviest terms, mostly the rarest, while their matches cost at most `budget`. The
 * first is always chosen (decision 0020).
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
 * Returns the oldest partition to search if `searched` (newest first) holds more than `most` of
 * `expected` matches. At least one partition is searched. Returns undefined if all fit.
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
