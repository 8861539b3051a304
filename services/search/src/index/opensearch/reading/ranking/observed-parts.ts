import { addUpScore, type ScoreParts } from '../../../../ranking/add-up-score.ts';
import { factFactorOf } from '../../../../ranking/fact-factor.ts';
import { AVOIDED_FACTOR, MISSED_FACTOR, NEAR_SHARE } from '../../../../ranking/weights.ts';
import { microsOf } from '../../../instants.ts';
import { kindFactors } from '../query/plan-factors.ts';
import { needsNames, PARTS, type RankedSearch } from '../query/ranking-query.ts';
import type { FoundObservation } from './found-observations.ts';

export interface ScoredObservation extends ScoreParts {
  readonly found: FoundObservation;
  readonly own: number;
  /** The total, or what similarity makes of it. */
  readonly rank: number;
  readonly similarity?: number | undefined;
}

/** `gain` is exact, and `counted` is the rounded gain in the query. */
export interface CompanyGain {
  readonly gain: number;
  readonly counted: number;
}

const SINGLE_PRECISION = 1e-5;

/** Recovers the parts from the sum of `rankingQuery`, and recomputes the exact score. */
export function createPartReader(
  { plan, scoring }: RankedSearch,
  meaningFinds: boolean,
  gainOf: (companyId: number) => CompanyGain,
) {
  const isNamed = needsNames(plan);
  const kinds: ReadonlyMap<number, number> = kindFactors(plan);
  const facts = plan.facts.map(factFactorOf);
  const since = plan.since && microsOf(plan.since);
  const until = plan.until && microsOf(plan.until);
  const atPlaceOf = ({ names }: FoundObservation) => {
    if (names.has(PARTS.there)) return scoring.placeGain;
    return names.has(PARTS.near) ? scoring.placeGain * NEAR_SHARE : 0;
  };
  const timeFactorOf = ({ occurredAt: at }: FoundObservation) => {
    if (at === undefined) return 1;
    const isOutside = (since !== undefined && at < since) || (until !== undefined && at >= until);
    return isOutside ? MISSED_FACTOR : 1;
  };
  return (found: FoundObservation): ScoredObservation => {
    const { gain: ofCompany, counted } = gainOf(found.companyId);
    const atPlace = atPlaceOf(found);
    const factors = {
      kindFactor: kinds.get(found.kind) ?? 1,
      timeFactor: timeFactorOf(found),
      avoidedFactor: found.names.has(PARTS.avoided) ? AVOIDED_FACTOR : 1,
      factFactor: facts.reduce((product, factor) => product * factor(found.facts), 1),
    };
    const given = scoring.base + counted + atPlace + (factors.kindFactor > 1 ? scoring.kindGain : 0);
    const elsewhere = plan.places.length > 0 && atPlace <= 0 ? MISSED_FACTOR : 1;
    const product = Object.values(factors).reduce((all, factor) => all * factor, elsewhere);
    const left = product > 0 ? found.score / product - given : 0;
    const hasText = isNamed
      ? found.names.has(PARTS.asked) || found.names.has(PARTS.others)
      : left > SINGLE_PRECISION * Math.max(1, given);
    /* Rounding of single-precision sums may leave almost nothing. */
    const own = hasText && product > 0 ? Math.max(Number.MIN_VALUE, left) : 0;
    const scores = addUpScore(scoring, plan, { own, ofCompany, atPlace, ...factors }, meaningFinds);
    return { found, own, ...scores, rank: scores.total };
  };
}
