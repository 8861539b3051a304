import { isTopicTerm } from '../../../../ranking/plan-traits.ts';
import type { Scoring } from '../../../../ranking/scoring.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import type { Marks } from './buffer-pool.ts';
import { Candidates } from './candidates.ts';
import { runsOf } from './marks.ts';
import type { ObservationFilter } from './observation-filter.ts';

/** Retrieves by words, and by places if no word asks for more. */
export function findMatches(
  view: MemoryIndexView,
  { scoring }: { readonly scoring: Pick<Scoring, 'own'> },
  filter: ObservationFilter,
  inPlace: Marks | undefined,
): Candidates {
  const candidates = new Candidates(view, filter);
  const { terms, candidateTerms } = scoring.own;
  candidates.takeRuns(runsOf(view.observationTexts, candidateTerms));
  if (inPlace && !terms.some(isTopicTerm)) candidates.takeMarked(view.observations.size, inPlace);
  return candidates;
}
