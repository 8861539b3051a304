import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { RelevanceFeatures } from './calibration.ts';
import type { Scoring } from './scoring.ts';

export interface RankingQuery {
  readonly plan: Plan;
  readonly filters: SearchFilters;
  readonly companies: number;
  readonly observationsPerCompany: number;
  /** Milliseconds until the caller's deadline. */
  readonly timeoutMs: number | undefined;
  /** Without it, only words find and order. */
  readonly meaning?: QueryMeaning | undefined;
}

export interface QueryMeaning {
  readonly model: string;
  readonly vector: Int8Array;
  /** An increase of the cosine by 1 multiplies the score by e to this power. */
  readonly weight: number;
  /** Least cosine of observations without a word of the query; undefined: only words find. */
  readonly findsFrom: number | undefined;
}

/** The least cosine to be found by; undefined if only words find. */
export function findsFromOf({ meaning }: Pick<RankingQuery, 'meaning'>, scoring: Scoring): number | undefined {
  return scoring.ranksByWords ? meaning?.findsFrom : undefined;
}

export interface RankedHit {
  readonly observationId: bigint;
  readonly companyId: bigint;
  readonly ownText: number;
  readonly companyContext: number;
  readonly place: number;
  readonly kind: number;
  readonly kindFactor: number;
  readonly placeFactor: number;
  readonly timeFactor: number;
  readonly avoidedFactor: number;
  readonly answerFactor: number;
  readonly factFactor: number;
  readonly highest: number;
  readonly score: number;
  /** The probability is computed from these. They depend neither on filters nor on other hits. */
  readonly relevance: RelevanceFeatures;
}

export interface Ranking {
  /** Companies are sorted best first, and so are the hits of each. */
  readonly hits: readonly RankedHit[];
  readonly droppedTerms: readonly string[];
  /** A budget or timeout cut matches. */
  readonly truncated: boolean;
  /** The filters admit months that the index left out. */
  readonly monthsLeftOut: boolean;
  readonly retrievalCut: boolean;
  readonly countedObservations: number;
  /** Whether words other than kinds, places and times affected the scores. */
  readonly ranksByWords: boolean;
  /** The terms that gave `ownText` and `companyContext`. */
  readonly scoring: Pick<Scoring, 'own' | 'context'>;
  readonly position: ChangePosition | undefined;
}
