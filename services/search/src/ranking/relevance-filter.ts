import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { MIN_HIGHEST } from './calibration.ts';
import type { Ranking } from './ranking.ts';
import { CALIBRATED_OBSERVATIONS } from './weights.ts';

/**
 * 0 without a minimum, in a small record, or if the query has only words for kinds, places and
 * times or words that nearly all documents contain.
 */
export function minimumProbability(
  { minimumRelevance }: Pick<Plan, 'minimumRelevance'>,
  { countedObservations, ranksByWords, hits }: Pick<Ranking, 'countedObservations' | 'ranksByWords' | 'hits'>,
): number {
  const asksForRareWords = ranksByWords && (hits[0]?.relevance.highest ?? 0) >= MIN_HIGHEST;
  return asksForRareWords && countedObservations >= CALIBRATED_OBSERVATIONS ? minimumRelevance / 1000 : 0;
}
