import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import { kindFeatures } from './kind-features.ts';

type PredictionVocabulary = Pick<Vocabulary, 'technologies' | 'stopWords' | 'kindWeights'>;

const LEAST_PROBABILITY = 0.35;

/** Softmax over learned weights; undefined below the minimum. `taken`: places, times, negations. */
export function predictKind(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: PredictionVocabulary,
): Kind | undefined {
  const { kinds, constants, features } = vocabulary.kindWeights;
  const scores = [...constants];
  for (const feature of kindFeatures(words, taken, vocabulary))
    for (const [at, weight] of (features.get(feature) ?? []).entries()) scores[at] = (scores[at] ?? 0) + weight;
  const highest = Math.max(...scores);
  const probability = 1 / scores.reduce((sum, score) => sum + Math.exp(score - highest), 0);
  const best = kinds[scores.indexOf(highest)];
  return best === Kind.UNSPECIFIED || probability < LEAST_PROBABILITY ? undefined : best;
}
