import type { ScoreParts } from '../ranking/add-up-score.ts';
import type { RankedHit, RankingQuery } from '../ranking/ranking.ts';
import type { Scoring } from '../ranking/scoring.ts';
import { MISSED_FACTOR, NO_WORD_FACTOR } from '../ranking/weights.ts';

/** `context` already includes `contextShare`. */
export interface ScoredRow extends ScoreParts {
  readonly observationId: bigint;
  readonly companyId: bigint;
  readonly own: number;
  /** The cosine of observation and query; absent without vectors. */
  readonly similarity?: number | undefined;
}

export function hitOf(row: ScoredRow, { plan }: RankingQuery, scoring: Scoring): RankedHit {
  const placeFactor = plan.places.length > 0 && !row.isThere ? MISSED_FACTOR : 1;
  const answerFactor = scoring.asksWords && row.own <= 0 ? NO_WORD_FACTOR : 1;
  return {
    observationId: row.observationId,
    companyId: row.companyId,
    ownText: row.own,
    companyContext: row.context,
    place: row.place,
    kind: row.kindFactor > 1 ? scoring.kindGain : 0,
    kindFactor: row.kindFactor,
    placeFactor,
    timeFactor: row.timeFactor,
    avoidedFactor: row.avoidedFactor,
    answerFactor,
    factFactor: row.factFactor,
    highest: scoring.highest,
    score: shareOf(row.total, scoring.highest),
    relevance: {
      score: shareOf(answeringTotal(row, scoring, placeFactor, answerFactor), scoring.answering.highest),
      highest: scoring.answering.highest,
      ...(row.similarity !== undefined && { similarity: row.similarity }),
    },
  };
}

function answeringTotal(row: ScoredRow, scoring: Scoring, placeFactor: number, answerFactor: number): number {
  const { byKind, byPlace } = scoring.answering;
  const words = scoring.base + row.own + (byKind ? row.context : row.context / row.contextShare);
  const kind = byKind && row.kindFactor > 1 ? scoring.kindGain : 0;
  const factors = row.timeFactor * row.avoidedFactor * row.factFactor * answerFactor;
  const open = (byKind ? row.kindFactor : 1) * placeFactor;
  return (words + kind + (byPlace ? row.place : 0)) * factors * open;
}

function shareOf(total: number, highest: number): number {
  return highest > 0 ? Math.min(1, total / highest) : 0;
}
