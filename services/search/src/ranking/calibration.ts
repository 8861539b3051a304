import { readFileSync } from 'node:fs';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const WordWeights = { constant: Type.Number(), score: Type.Number(), highest: Type.Number() };
const Weights = Type.Object(WordWeights);
/** Weights for observations whose similarity to the query is known too. */
const MeaningWeights = Type.Object({ ...WordWeights, model: Type.String(), similarity: Type.Number() });
/** Weights for observations that the cross-encoder has read too; `model` made the vectors. */
const ReadingWeights = Type.Object({
  ...WordWeights,
  model: Type.String(),
  similarity: Type.Number(),
  crossEncoder: Type.String(),
  logOdds: Type.Number(),
});
const Calibration = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  /** The error was measured on this many held-out queries. */
  fitted: Type.Object({
    date: Type.String(),
    queries: Type.Integer(),
    companies: Type.Integer(),
    expectedError: Type.Number(),
  }),
  /** Whether the error and the number of queries justify a validated result. */
  trusted: Type.Boolean(),
  weights: Weights,
  meaning: Type.Optional(MeaningWeights),
  reading: Type.Optional(ReadingWeights),
});

export type Calibration = Static<typeof Calibration>;
export type CalibrationWeights = Static<typeof Weights>;
/** What probabilities are computed from. */
export type ProbabilityWeights = Pick<Calibration, 'weights' | 'meaning' | 'reading'>;

/**
 * A probability depends on the query and one observation, never on other companies (decision 0026).
 */
export interface RelevanceFeatures {
  readonly score: number;
  readonly highest: number;
  /** It is the cosine of query and observation under the calibration's model; absent if unknown. */
  readonly similarity?: number | undefined;
  /** It is the score of the calibration's cross-encoder; absent if the observation was not read. */
  readonly logOdds?: number | undefined;
}

const LEAST_SCORE = 1e-3;
/**
 * It is the smallest fitted `highest`, in idf units. Queries below it, with words that nearly all
 * documents contain, are rated like it.
 */
export const MIN_HIGHEST = 10;

/** Returns all past calibrations, newest first. A plan names the one in force when it was made. */
export function loadCalibrations(file = path.join(import.meta.dirname, '../../calibrations.json')): Calibration[] {
  const check = Compile(Type.Array(Calibration, { minItems: 1 }));
  return check.Parse(JSON.parse(readFileSync(file, 'utf8'))).toSorted((a, b) => b.version - a.version);
}

/** Only this one fits the ranking of this release, whatever an older plan names. */
export function currentCalibration(): Calibration {
  const [newest] = loadCalibrations();
  if (!newest) throw new Error('there is no calibration');
  return newest;
}

/**
 * Returns the probability that a company answers, 0..1 (logistic regression), by the weights for
 * what is known of it.
 */
export function probabilityOf(features: RelevanceFeatures, calibration: ProbabilityWeights): number {
  const { score, highest } = termsOf(features);
  const { similarity = 0, logOdds = 0 } = features;
  const { constant, ...weights } = weightsFor(features, calibration);
  const ofModels = weights.similarity * similarity + weights.logOdds * logOdds;
  return 1 / (1 + Math.exp(-(constant + weights.score * score + weights.highest * highest + ofModels)));
}

function weightsFor({ similarity, logOdds }: RelevanceFeatures, { weights, meaning, reading }: ProbabilityWeights) {
  if (similarity === undefined) return { ...weights, similarity: 0, logOdds: 0 };
  if (reading && logOdds !== undefined) return reading;
  return meaning ? { ...meaning, logOdds: 0 } : { ...weights, similarity: 0, logOdds: 0 };
}

export function termsOf({ score, highest }: RelevanceFeatures): CalibrationWeights {
  return {
    constant: 1,
    score: Math.log(Math.max(score, LEAST_SCORE)),
    highest: Math.log(Math.max(highest, MIN_HIGHEST)),
  };
}
