import { readFileSync } from 'node:fs';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const WordWeights = { constant: Type.Number(), score: Type.Number(), highest: Type.Number() };
const Weights = Type.Object(WordWeights);
/** Weights where the likeness of the query and the observation by a model is known too. */
const MeaningWeights = Type.Object({ ...WordWeights, model: Type.String(), likeness: Type.Number() });
const Calibration = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  /** By how much probabilities were wrong on queries that had no say in the weights, and how many queries that was. */
  fitted: Type.Object({
    date: Type.String(),
    queries: Type.Integer(),
    companies: Type.Integer(),
    expectedError: Type.Number(),
  }),
  /** Whether that is little enough, on enough queries, for a result to be called validated. */
  trusted: Type.Boolean(),
  weights: Weights,
  meaning: Type.Optional(MeaningWeights),
});

/** How scores become probabilities that a company answers. */
export type Calibration = Static<typeof Calibration>;
export type CalibrationWeights = Static<typeof Weights>;

/** What a probability is made of: the query and one observation, never other companies (decision 0026). */
export interface RelevanceFeatures {
  /** Normalised, 0..1. */
  readonly score: number;
  /** The most that a score could have reached before it was normalised, in idf units. */
  readonly highest: number;
  /** The cosine of the vectors of the query and the observation, by the model of the calibration; absent: unknown. */
  readonly likeness?: number | undefined;
}

const LEAST_SCORE = 1e-3;
/** The least that was fitted, in idf units: what asks for less, by words that nearly all of a record has, is rated like it. */
export const LEAST_HIGHEST = 10;

/** The calibrations there ever were, the newest first; a plan names the one that was in force when it was made. */
export function loadCalibrations(file = path.join(import.meta.dirname, '../../calibrations.json')): Calibration[] {
  const check = Compile(Type.Array(Calibration, { minItems: 1 }));
  return check.Parse(JSON.parse(readFileSync(file, 'utf8'))).toSorted((a, b) => b.version - a.version);
}

/** The calibration that was fitted to the ranking of this release: by it alone, whatever an older plan names. */
export function currentCalibration(): Calibration {
  const [newest] = loadCalibrations();
  if (!newest) throw new Error('there is no calibration');
  return newest;
}

/** How probable it is that a company answers, 0..1: by words, and by meaning where it is known. */
export function probabilityOf(
  features: RelevanceFeatures,
  calibration: Pick<Calibration, 'weights' | 'meaning'>,
): number {
  const { meaning, weights } = calibration;
  const byMeaning = meaning && features.likeness !== undefined;
  const { score, highest } = termsOf(features);
  const { constant, ...own } = byMeaning ? meaning : weights;
  const likeness = byMeaning ? meaning.likeness * (features.likeness ?? 0) : 0;
  return 1 / (1 + Math.exp(-(constant + own.score * score + own.highest * highest + likeness)));
}

/** What the weights of words are multiplied with. */
export function termsOf({ score, highest }: RelevanceFeatures): CalibrationWeights {
  return {
    constant: 1,
    score: Math.log(Math.max(score, LEAST_SCORE)),
    highest: Math.log(Math.max(highest, LEAST_HIGHEST)),
  };
}
