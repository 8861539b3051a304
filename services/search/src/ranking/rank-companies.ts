import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ObservationIndex, RankedHit, Ranking, RankingQuery } from '../index/observation-index.ts';
import { type Calibration, type CalibrationWeights, probabilityOf } from './calibration.ts';
import { leastProbability } from './relevance-filter.ts';

/** How many companies a search looks at and gives. */
export interface RankLimits {
  /** Distinct companies considered before the relevance filter. */
  readonly candidates: number;
  /** Companies in the answer. */
  readonly companies: number;
  /** How scores become probabilities, which the least one of the plan is compared with. */
  readonly calibration: Pick<Calibration, 'weights' | 'trusted'>;
}

/** A company of the ranking with its observations, the best first. */
export interface RankedCompany {
  readonly companyId: bigint;
  readonly score: number;
  /** How probable it is that it answers, 0..1. */
  readonly relevance: number;
  readonly hits: readonly RankedHit[];
}

export interface CompanyRanking {
  readonly companies: readonly RankedCompany[];
  readonly candidates: number;
  readonly candidateLimitReached: boolean;
  /** What may be irrelevant was left out by a threshold that may leave an answer empty. */
  readonly relevanceValidated: boolean;
  readonly ranking: Ranking;
}

const OBSERVATIONS_PER_COMPANY = 3;
/** Looked at where a company may be left out: one that answers need not be among the best by score. */
const OBSERVATIONS_THAT_ANSWER = 20;

/** The shortlist of a plan: candidates up to the limit, then the relevance filter, then the cut. */
export async function rankCompanies(
  index: ObservationIndex,
  plan: Plan,
  filters: SearchFilters,
  limits: RankLimits,
  how: Pick<RankingQuery, 'explain' | 'timeoutMs'>,
): Promise<CompanyRanking> {
  const ranking = await index.rank({
    plan,
    filters,
    companies: limits.candidates + 1,
    observationsPerCompany: plan.minimumRelevance > 0 ? OBSERVATIONS_THAT_ANSWER : OBSERVATIONS_PER_COMPANY,
    ...how,
  });
  const found = groupByCompany(ranking.hits, limits.calibration.weights);
  const candidates = found.slice(0, limits.candidates);
  const probable = leastProbability(plan, limits.calibration, ranking);
  const relevant = candidates.filter(({ relevance }) => relevance >= probable);
  return {
    companies: relevant.slice(0, limits.companies),
    candidates: candidates.length,
    candidateLimitReached: found.length > limits.candidates,
    relevanceValidated: probable > 0,
    ranking,
  };
}

/** Companies by their best observation, ties in the order of the hits. */
function groupByCompany(hits: readonly RankedHit[], calibration: CalibrationWeights): RankedCompany[] {
  const byCompany = Map.groupBy(hits, (hit) => hit.companyId);
  const companies = [...byCompany].map(([companyId, own]) => ({
    companyId,
    score: Math.max(...own.map((hit) => hit.score)),
    relevance: Math.max(...own.map((hit) => probabilityOf(hit.relevance, calibration))),
    hits: own.slice(0, OBSERVATIONS_PER_COMPANY),
  }));
  return companies.toSorted((a, b) => b.score - a.score);
}
