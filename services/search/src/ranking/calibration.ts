import { readFileSync } from 'node:fs';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const Weights = Type.Object({
  constant: Type.Number(),
  score: Type.Number(),
  highest: Type.Number(),
});
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
});

/** How scores become probabilities that a company answers. */
export type Calibration = Static<typeof Calibration>;
export type CalibrationWeights = Static<typeof Weights>;

/** What a probability is made of: the query and one observation, never other companies (decision 0134). */
export interface RelevanceFeatures {
  /** Normalised, 0..1. */
  readonly score: number;
  /** The most that a score could have reached before it was normalised, in idf units. */
  readonly highest: number;
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

/** How probable it is that a company answers, 0..1. */
export function probabilityOf(features: RelevanceFeatures, weights: CalibrationWeights): number {
  const terms = Object.entries(termsOf(features)).map(
    ([name, value]) => weights[name as keyof CalibrationWeights] * value,
  );
  return 1 / (1 + Math.exp(-terms.reduce((sum, term) => sum + term, 0)));
}

/** What the weights are multiplied with. */
export function termsOf({ score, highest }: RelevanceFeatures): CalibrationWeights {
  return {
    constant: 1,
    score: Math.log(Math.max(score, LEAST_SCORE)),
    highest: Math.log(Math.max(highest, LEAST_HIGHEST)),
  };
}
