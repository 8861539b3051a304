import { readFileSync } from 'node:fs';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const WordWeights = {
  constant: Type.Number(),
  score: Type.Number(),
  highest: Type.Number(),
};
const Weights = Type.Object(WordWeights);
const MeaningWeights = Type.Object({
  ...WordWeights,
  model: Type.String(),
  similarity: Type.Number(),
  /** Versions up to 5 have none: trust in them covers both. */
  trusted: Type.Optional(Type.Boolean()),
});
const Calibration = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  /** Measured on this many held-out queries. */
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
});

export type Calibration = Static<typeof Calibration>;
export type CalibrationWeights = Static<typeof Weights>;

/** A probability depends on the query and one observation, never on others (decision 0026). */
export interface RelevanceFeatures {
  readonly score: number;
  readonly highest: number;
  /** Cosine under the calibration's model; absent if unknown. */
  readonly similarity?: number | undefined;
}

const LEAST_SCORE = 0.005;
/** The smallest fitted `highest`, in idf units. Lower queries are rated like it. */
export const MIN_HIGHEST = 10;

/** Newest first. A plan names the one in force when it was made. */
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

/** Logistic regression, 0..1. Uses the similarity if known. */
export function probabilityOf(
  features: RelevanceFeatures,
  calibration: Pick<Calibration, 'weights' | 'meaning'>,
): number {
  const { meaning, weights } = calibration;
  const byMeaning = meaning && features.similarity !== undefined;
  const { score, highest } = termsOf(features);
  const { constant, ...own } = byMeaning ? meaning : weights;
  const similarity = byMeaning ? meaning.similarity * (features.similarity ?? 0) : 0;
  return 1 / (1 + Math.exp(-(constant + own.score * score + own.highest * highest + similarity)));
}

export function termsOf({ score, highest }: RelevanceFeatures): CalibrationWeights {
  return {
    constant: 1,
    score: Math.log(Math.max(score, LEAST_SCORE)),
    highest: Math.log(Math.max(highest, MIN_HIGHEST)),
  };
}
