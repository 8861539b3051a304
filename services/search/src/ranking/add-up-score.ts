import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Scoring } from './scoring.ts';
import { ELSEWHERE_FACTOR, UNANSWERING_FACTOR, UNSHOWN_CONTEXT } from './weights.ts';

/** What an engine finds of an observation; gains are in idf units. */
export interface ObservedParts {
  /** By its own text. */
  readonly own: number;
  /** By the description of its company, weighed (`CONTEXT_WEIGHT`). */
  readonly ofCompany: number;
  /** By being at or near a place that is asked for, before it is known how much of it counts. */
  readonly atPlace: number;
  readonly kindFactor: number;
  readonly timeFactor: number;
  readonly avoidedFactor: number;
  readonly factFactor: number;
}

/** The parts of an observation's score as they count, and what they add up to. */
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

/** The parts of what an observation gains by its own text and by what its company is, and their sum. */
export function addUpScore(scoring: Scoring, plan: Plan, parts: ObservedParts): ScoreParts {
  const { own, ofCompany, atPlace, kindFactor, timeFactor, avoidedFactor, factFactor } = parts;
  const contextShare = contextShareOf(scoring, own);
  return {
    context: ofCompany * contextShare,
    contextShare,
    isThere: atPlace > 0,
    place: atPlace * placeShareOf(scoring, own, ofCompany),
    kindFactor,
    timeFactor,
    avoidedFactor,
    factFactor,
    total: totalScore(scoring, plan, parts),
  };
}

/** The sum alone; every engine ranks by it. */
export function totalScore(scoring: Scoring, { places }: Plan, parts: ObservedParts): number {
  const { own, ofCompany, atPlace, kindFactor, timeFactor, avoidedFactor, factFactor } = parts;
  const context = ofCompany * contextShareOf(scoring, own);
  const place = atPlace * placeShareOf(scoring, own, ofCompany);
  const gained = scoring.base + own + context + place + (kindFactor > 1 ? scoring.kindGain : 0);
  const elsewhere = places.length > 0 && atPlace <= 0 ? ELSEWHERE_FACTOR : 1;
  const unanswering = scoring.asksWords && own <= 0 ? UNANSWERING_FACTOR : 1;
  return gained * kindFactor * timeFactor * avoidedFactor * factFactor * elsewhere * unanswering;
}

/** How much of a place's gain counts: as much as words give of what answers. */
function placeShareOf({ answeringGain }: Scoring, own: number, context: number): number {
  return answeringGain > 0 ? Math.min(1, (own + context) / answeringGain) : 1;
}

/** How much of what the company is counts, by what the observation gives itself. */
function contextShareOf({ answeringGain, saysItself }: Scoring, own: number): number {
  if (answeringGain <= 0 || !saysItself) return 1;
  return UNSHOWN_CONTEXT + (1 - UNSHOWN_CONTEXT) * Math.min(1, own / answeringGain);
}
