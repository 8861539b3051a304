import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import { kindFeatures } from './kind-features.ts';

/** How probable it is that a query asks for each kind, by what was learned of sentences; unspecified: for none. */
export function readKinds(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: Pick<Vocabulary, 'technologies' | 'stopWords' | 'kindWeights'>,
): ReadonlyMap<Kind, number> {
  const { kinds, constants, features } = vocabulary.kindWeights;
  const scores = [...constants];
  for (const feature of kindFeatures(words, taken, vocabulary))
    for (const [at, weight] of (features.get(feature) ?? []).entries()) scores[at] = (scores[at] ?? 0) + weight;
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return new Map(kinds.map((kind, at) => [kind, (powers[at] ?? 0) / sum]));
}

/** The kind that is read off a query, where one is probable enough; undefined where none is. */
export function readKind(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: Pick<Vocabulary, 'technologies' | 'stopWords' | 'kindWeights'>,
): Kind | undefined {
  const [best] = [...readKinds(words, taken, vocabulary)].toSorted(([, a], [, b]) => b - a);
  const least = Number(process.env['LAB_LEAST'] ?? '0.5');
  return best && best[0] !== Kind.UNSPECIFIED && best[1] >= least ? best[0] : undefined;
}
