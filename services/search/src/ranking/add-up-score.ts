import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Scoring } from './scoring.ts';
import { CONTEXT_FLOOR, LEAST_SHARE, MISSED_FACTOR, NO_WORD_FACTOR } from './weights.ts';

export interface ObservedParts {
  readonly own: number;
  readonly ofCompany: number;
  /** Full gain at or near a requested place; `addUpScore` decides the share that counts. */
  readonly atPlace: number;
  readonly kindFactor: number;
  readonly timeFactor: number;
  readonly avoidedFactor: number;
  readonly factFactor: number;
}

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

export function addUpScore(scoring: Scoring, plan: Plan, parts: ObservedParts, meaningFinds: boolean): ScoreParts {
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
    total: totalScore(scoring, plan, parts, meaningFinds),
  };
}

/** If meaning finds, observations without a word of the query have a least share of the highest. */
export function totalScore(scoring: Scoring, { places }: Plan, parts: ObservedParts, meaningFinds: boolean): number {
  const { own, ofCompany, atPlace, kindFactor } = parts;
  const context = ofCompany * contextShareOf(scoring, own);
  const place = atPlace * placeShareOf(scoring, own, ofCompany);
  const gained = scoring.base + own + context + place + (kindFactor > 1 ? scoring.kindGain : 0);
  const unanswering = scoring.asksWords && own <= 0 ? NO_WORD_FACTOR : 1;
  const least = meaningFinds ? LEAST_SHARE * scoring.highest : 0;
  return Math.max(least, gained * unanswering) * factorsOf(parts, places.length > 0);
}

function factorsOf(parts: ObservedParts, asksPlace: boolean): number {
  const { atPlace, kindFactor, timeFactor, avoidedFactor, factFactor } = parts;
  const elsewhere = asksPlace && atPlace <= 0 ? MISSED_FACTOR : 1;
  return kindFactor * timeFactor * avoidedFactor * factFactor * elsewhere;
}

/** A place counts in proportion to the gain by words, up to `answeringGain`. */
function placeShareOf({ answeringGain }: Scoring, own: number, context: number): number {
  return answeringGain > 0 ? Math.min(1, (own + context) / answeringGain) : 1;
}

/** A description counts more, the more the observation's own text gains. */
function contextShareOf({ answeringGain, saysItself }: Scoring, own: number): number {
  if (answeringGain <= 0 || !saysItself) return 1;
  return CONTEXT_FLOOR + (1 - CONTEXT_FLOOR) * Math.min(1, own / answeringGain);
}
