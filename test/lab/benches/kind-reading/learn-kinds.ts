import { kindFeatures } from '@ces/search/planning/kind-features';
import { findPlaces } from '@ces/search/planning/places';
import { findTimes } from '@ces/search/planning/times';
import { tokenise } from '@ces/search/planning/tokens';
import { loadVocabulary, type Vocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { mulberry32 } from '../../../support/random.ts';
import { type Sentence, writeSentences } from './sentences.ts';
import { type Example, fitSoftmax, type SoftmaxWeights, softmax } from './softmax.ts';

export interface Learned {
  readonly sentences: readonly Sentence[];
  readonly kinds: readonly string[];
  readonly model: KindModel;
  readonly readings: readonly Reading[];
}

/** Weights in the order of the feature names. */
interface KindModel extends SoftmaxWeights {
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

interface Reading {
  readonly sentence: Sentence;
  readonly read: string;
  readonly probability: number;
}

/** Sentences without a kind, relative to those of one kind. */
const NONE_SHARE = 1.5;
const LEARNING = { rounds: 6, unseen: 0.4, absolute: 0.02, square: 0.003 };
/** Drops features of fewer sentences, because they do not generalise. */
const LEAST_SENTENCES = 5;
const FOLDS = 5;
const TODAY = new Date('2026-11-27T12:00:00Z');

/**
 * Trains on `each` sentences of a kind. The result depends only on seed, grammar and vocabulary.
 */
export function learnKinds(each: number, seed: number): Learned {
  const vocabulary = loadVocabulary();
  const random = mulberry32(seed);
  const sentences = writeSentences(each, NONE_SHARE, random);
  const kinds = [...new Set(sentences.map(({ kind }) => kind))];
  const all = sentences.map((sentence): Seen => ({ sentence, features: featuresOf(sentence, vocabulary) }));
  const frames = new Set(sentences.map(({ frame }) => frame));
  const held = new Set([...frames].filter(() => Math.floor(random() * FOLDS) === 0));
  const [own, others] = [true, false].map((isHeld) =>
    all.filter(({ sentence }) => held.has(sentence.frame) === isHeld),
  );
  const without = train(others ?? [], kinds, random);
  const readings = (own ?? []).map((seen) => read(seen, kinds, without));
  return { sentences, kinds, readings, model: train(all, kinds, random) };
}

interface Seen {
  readonly sentence: Sentence;
  readonly features: readonly string[];
}

function featuresOf({ text }: Sentence, vocabulary: Vocabulary): string[] {
  const tokens = tokenise(text);
  const taken = [...findPlaces(tokens, vocabulary), ...findTimes(tokens, TODAY, new Set())].flatMap(
    ({ start, length }) => Array.from({ length }, (_, offset) => start + offset),
  );
  const words = tokens.map(({ word }) => word);
  return kindFeatures(words, new Set(taken), vocabulary);
}

function train(seen: readonly Seen[], kinds: readonly string[], random: () => number): KindModel {
  const counts = new Map<string, number>();
  for (const { features } of seen) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].filter(([, count]) => count >= LEAST_SENTENCES).map(([name]) => name);
  const numbers = new Map(names.map((name, at) => [name, at]));
  const examples = seen.map(
    ({ sentence, features }): Example => ({
      features: features.flatMap((name) => numbers.get(name) ?? []),
      label: kinds.indexOf(sentence.kind),
    }),
  );
  return { names, numbers, ...fitSoftmax(examples, names.length, kinds.length, LEARNING, random) };
}

function read({ sentence, features }: Seen, kinds: readonly string[], model: KindModel): Reading {
  const scores = Float64Array.from(model.constants);
  for (const name of features)
    for (const [kind, weight] of (model.weights[model.numbers.get(name) ?? -1] ?? []).entries())
      scores[kind] = (scores[kind] ?? 0) + weight;
  const probabilities = softmax(scores);
  const best = probabilities.indexOf(Math.max(...probabilities));
  return { sentence, read: kinds[best] ?? '', probability: probabilities[best] ?? 0 };
}
