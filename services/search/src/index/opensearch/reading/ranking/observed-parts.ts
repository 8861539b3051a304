import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { addUpScore, type ScoreParts } from '../../../../ranking/add-up-score.ts';
import { factFactorOf } from '../../../../ranking/fact-factor.ts';
import type { Scoring } from '../../../../ranking/scoring.ts';
import { AVOIDED_FACTOR, EARLIER_FACTOR, ELSEWHERE_FACTOR, NEAR_SHARE } from '../../../../ranking/weights.ts';
import { microsOf } from '../../../instants.ts';
import { kindFactors } from '../query/plan-factors.ts';
import { needsNames, PARTS } from '../query/ranking-query.ts';
import type { FoundObservation } from './found-observations.ts';

/** An observation with the parts of its score and what they add up to. */
export interface ScoredObservation extends ScoreParts {
  readonly found: FoundObservation;
  readonly own: number;
}

/** What an observation's company gives it: exactly, and as the query counted it. */
export interface CompanyGain {
  readonly gain: number;
  readonly counted: number;
}

/** What is left of a sum where nothing is, as a share of it. */
const SINGLE_PRECISION = 1e-5;

/** Reads the parts of scores back out of the sums that `rankingQuery` makes, and adds them up as they count. */
export function createPartReader(plan: Plan, scoring: Scoring, gainOf: (companyId: number) => CompanyGain) {
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
    return isOutside ? EARLIER_FACTOR : 1;
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
    const elsewhere = plan.places.length > 0 && atPlace <= 0 ? ELSEWHERE_FACTOR : 1;
    const product = Object.values(factors).reduce((all, factor) => all * factor, elsewhere);
    const left = product > 0 ? found.score / product - given : 0;
    const hasText = isNamed
      ? found.names.has(PARTS.asked) || found.names.has(PARTS.others)
      : left > SINGLE_PRECISION * Math.max(1, given);
    /* Sums are of single precision, so that little may be left of little; without any word a score is lower than what else it has. */
    const own = hasText && product > 0 ? Math.max(Number.MIN_VALUE, left) : 0;
    return { found, own, ...addUpScore(scoring, plan, { own, ofCompany, atPlace, ...factors }) };
  };
}
