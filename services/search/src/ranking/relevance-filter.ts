import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Ranking } from '../index/observation-index.ts';
import { type Calibration, LEAST_HIGHEST } from './calibration.ts';
import { CALIBRATED_OBSERVATIONS } from './weights.ts';

/**
 * The probability, 0..1, below which a company is left out of this ranking; 0 where the plan asks for none, and where a
 * probability says nothing: by a calibration that is not trusted, in a record so small that no word is rare, where no
 * word but that of a kind, a place or a time was asked for, so that all there is answers alike, and where nearly all there is has the
 * words, so that no score says much.
 */
export function leastProbability(
  { minimumRelevance }: Pick<Plan, 'minimumRelevance'>,
  { trusted }: Pick<Calibration, 'trusted'>,
  { countedObservations, ranksByWords, hits }: Pick<Ranking, 'countedObservations' | 'ranksByWords' | 'hits'>,
): number {
  const asksForRareWords = ranksByWords && (hits[0]?.relevance.highest ?? 0) >= LEAST_HIGHEST;
  const speaks = trusted && asksForRareWords && countedObservations >= CALIBRATED_OBSERVATIONS;
  return speaks ? minimumRelevance / 1000 : 0;
}
