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
  readonly threshold: Threshold;
  /** How scores become probabilities, which the least one of the plan is compared with. */
  readonly calibration: Pick<Calibration, 'weights' | 'trusted'>;
}

/** The relevance filter; zeros let everything through. */
export interface Threshold {
  /** Least normalised score. */
  readonly score: number;
  /** Least share of the best score. */
  readonly share: number;
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
    observationsPerCompany: OBSERVATIONS_PER_COMPANY,
    ...how,
  });
  const found = groupByCompany(ranking.hits, limits.calibration.weights);
  const candidates = found.slice(0, limits.candidates);
  const { score, share } = limits.threshold;
  const least = Math.max(score, share * (candidates[0]?.score ?? 0));
  const probable = leastProbability(plan, limits.calibration, ranking);
  const relevant = candidates.filter((company) => company.score >= least && company.relevance >= probable);
  return {
    companies: relevant.slice(0, limits.companies),
    candidates: candidates.length,
    candidateLimitReached: found.length > limits.candidates,
    relevanceValidated: score > 0 || probable > 0,
    ranking,
  };
}

/** Companies by their best observation, ties in the order of the hits. */
function groupByCompany(hits: readonly RankedHit[], calibration: CalibrationWeights): RankedCompany[] {
  const byCompany = Map.groupBy(hits, (hit) => hit.companyId);
  const companies = [...byCompany].map(([companyId, own]) => ({
    companyId,
    score: Math.max(...own.map((hit) => hit.score)),
    hits: own,
  }));
  const ordered = companies.toSorted((a, b) => b.score - a.score);
  const best = ordered[0]?.score ?? 0;
  return ordered.map((company, rank) => ({
    ...company,
    relevance: probabilityOf({ ...featuresOf(company), best, rank }, calibration),
  }));
}

function featuresOf({ score, hits: [first] }: Pick<RankedCompany, 'score' | 'hits'>) {
  return { score, highest: first?.highest ?? 0, isOfNamedKind: (first?.kindFactor ?? 1) > 1 };
}
