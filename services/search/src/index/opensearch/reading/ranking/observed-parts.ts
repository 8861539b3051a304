import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { addUpScore, type ScoreParts } from '../../../../ranking/add-up-score.ts';
import { factFactorOf } from '../../../../ranking/fact-factor.ts';
import type { Scoring } from '../../../../ranking/scoring.ts';
import {
  AVOIDED_FACTOR,
  EARLIER_FACTOR,
  ELSEWHERE_FACTOR,
  NEAR_SHARE,
  UNANSWERING_FACTOR,
} from '../../../../ranking/weights.ts';
import { microsOf } from '../../../instants.ts';
import { kindFactors } from '../query/plan-factors.ts';
import { PARTS } from '../query/ranking-query.ts';
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

/** Reads the parts of scores back out of the sums that `rankingQuery` makes, and adds them up as they count. */
export function createPartReader(plan: Plan, scoring: Scoring, gainOf: (companyId: number) => CompanyGain) {
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
    const hasText = found.names.has(PARTS.asked) || found.names.has(PARTS.others);
    const atPlace = atPlaceOf(found);
    const factors = {
      kindFactor: kinds.get(found.kind) ?? 1,
      timeFactor: timeFactorOf(found),
      avoidedFactor: found.names.has(PARTS.avoided) ? AVOIDED_FACTOR : 1,
      factFactor: facts.reduce((product, factor) => product * factor(found.facts), 1),
    };
    const elsewhere = plan.places.length > 0 && atPlace <= 0 ? ELSEWHERE_FACTOR : 1;
    const unanswering = scoring.asksWords && !hasText ? UNANSWERING_FACTOR : 1;
    const product = Object.values(factors).reduce((all, factor) => all * factor, elsewhere * unanswering);
    const rest = scoring.base + counted + atPlace + (factors.kindFactor > 1 ? scoring.kindGain : 0);
    /* Sums are of single precision, so that little may be left of little. */
    const own = hasText && product > 0 ? Math.max(Number.MIN_VALUE, found.score / product - rest) : 0;
    return { found, own, ...addUpScore(scoring, plan, { own, ofCompany, atPlace, ...factors }) };
  };
}
