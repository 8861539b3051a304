import { ELSEWHERE_FACTOR, UNANSWERING_FACTOR, UNSHOWN_CONTEXT } from '../../../ranking/weights.ts';
import type { RankStatement } from '../statement/rank-statement.ts';
import type { PlanFactors } from './plan-factors.ts';

/** The parts of an observation's score, each as a column of `rankSql` has it. */
export interface ScoreParts {
  readonly context: number;
  readonly contextShare: number;
  readonly isThere: boolean;
  readonly place: number;
  readonly kindFactor: number;
  readonly timeFactor: number;
  readonly avoidedFactor: number;
  readonly factFactor: number;
  readonly total: number;
}

/** Adds up what an observation gains by its own text and by what its company is, to the last bit as `rankSql` does. */
export function addUpScore(
  { scoring, plan }: Pick<RankStatement, 'scoring' | 'plan'>,
  factors: PlanFactors,
  number: number,
  own: number,
  ofCompany: number,
): ScoreParts {
  const contextShare = contextShareOf(scoring, own);
  const context = ofCompany * contextShare;
  const given = factors.place(number);
  const place = given * placeShareOf(scoring, own, ofCompany);
  const kindFactor = factors.kind(number);
  const timeFactor = factors.time(number);
  const avoidedFactor = factors.avoided(number);
  const factFactor = factors.facts(number);
  const gained = scoring.base + own + context + place + (kindFactor > 1 ? scoring.kindGain : 0);
  const elsewhere = plan.places.length > 0 && given <= 0 ? ELSEWHERE_FACTOR : 1;
  const unanswering = scoring.asksWords && own <= 0 ? UNANSWERING_FACTOR : 1;
  const total = gained * kindFactor * timeFactor * avoidedFactor * factFactor * elsewhere * unanswering;
  return {
    context,
    contextShare,
    isThere: given > 0,
    place,
    kindFactor,
    timeFactor,
    avoidedFactor,
    factFactor,
    total,
  };
}

/** How much of a place's gain counts: as much as words give of what answers. */
function placeShareOf({ answeringGain }: RankStatement['scoring'], own: number, context: number): number {
  return answeringGain > 0 ? Math.min(1, (own + context) / answeringGain) : 1;
}

/** How much of what the company is counts, by what the observation gives itself. */
function contextShareOf({ answeringGain, saysItself }: RankStatement['scoring'], own: number): number {
  if (answeringGain <= 0 || !saysItself) return 1;
  return UNSHOWN_CONTEXT + (1 - UNSHOWN_CONTEXT) * Math.min(1, own / answeringGain);
}
