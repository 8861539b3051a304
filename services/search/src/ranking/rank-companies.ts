import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ObservationIndex, RankedHit, Ranking, RankingQuery } from '../index/observation-index.ts';
import { type Calibration, probabilityOf } from './calibration.ts';
import { weightBySimilarity } from './fuse.ts';
import { minimumProbability } from './relevance-filter.ts';
import type { SemanticReordering, Similarities } from './similarities.ts';

export interface RankLimits {
  readonly candidates: number;
  readonly companies: number;
  /** Converts scores to the probabilities that the plan's minimum applies to. */
  readonly calibration: Pick<Calibration, 'weights' | 'meaning' | 'trusted'>;
}

export interface RankedCompany {
  readonly companyId: bigint;
  readonly score: number;
  readonly relevance: number;
  readonly hits: readonly RankedHit[];
}

export interface CompanyRanking {
  readonly companies: readonly RankedCompany[];
  readonly candidates: number;
  readonly candidateLimitReached: boolean;
  /** A threshold excluded possibly irrelevant companies. It may leave no company. */
  readonly relevanceValidated: boolean;
  readonly byMeaning: boolean;
  readonly ranking: Ranking;
}

const OBSERVATIONS_PER_COMPANY = 3;
/**
 * More observations are read if companies may be excluded, because an answering observation need
 * not have a high score.
 */
const OBSERVATIONS_THAT_ANSWER = 20;

/**
 * Ranks candidates by words up to the limit, filters by relevance, reorders by meaning, and
 * truncates.
 */
export async function rankCompanies(
  index: ObservationIndex,
  plan: Plan,
  filters: SearchFilters,
  limits: RankLimits,
  {
    meaning,
    ...how
  }: Pick<RankingQuery, 'explain' | 'timeoutMs'> & { readonly meaning?: SemanticReordering | undefined },
): Promise<CompanyRanking> {
  const ranking = await index.rank({
    plan,
    filters,
    companies: limits.candidates + 1,
    observationsPerCompany: plan.minimumRelevance > 0 ? OBSERVATIONS_THAT_ANSWER : OBSERVATIONS_PER_COMPANY,
    ...how,
  });
  const found = [...Map.groupBy(ranking.hits, ({ companyId }) => companyId)];
  const hits = found.slice(0, limits.candidates).flatMap(([, own]) => own);
  const similarities = await findSimilarities(meaning, plan, hits);
  const candidates = groupByCompany(hits, limits.calibration, similarities);
  const probable = minimumProbability(plan, ranking);
  const relevant = candidates.filter(({ relevance }) => relevance >= probable);
  const ordered = meaning && similarities ? orderByMeaning(relevant, similarities, meaning.weight) : relevant;
  return {
    companies: ordered.slice(0, limits.companies),
    candidates: candidates.length,
    candidateLimitReached: found.length > limits.candidates,
    relevanceValidated: probable > 0 && limits.calibration.trusted,
    byMeaning: similarities !== undefined,
    ranking,
  };
}

async function findSimilarities(
  meaning: SemanticReordering | undefined,
  { query }: Plan,
  hits: readonly RankedHit[],
): Promise<Similarities | undefined> {
  if (!meaning || hits.length === 0) return undefined;
  const ids = hits.map(({ observationId }) => observationId);
  return await meaning.find(query, ids, { signal: meaning.signal, timeoutMs: meaning.timeLeftMs() });
}

/** Scores each company by its best observation. Ties keep the order of the hits. */
function groupByCompany(
  hits: readonly RankedHit[],
  calibration: Pick<Calibration, 'weights' | 'meaning'>,
  similarities: Similarities | undefined,
): RankedCompany[] {
  const isCalibrated = similarities?.model === calibration.meaning?.model;
  const relevanceOf = ({ observationId, relevance }: RankedHit) => {
    const similarity = isCalibrated ? similarities?.cosines.get(observationId) : undefined;
    return probabilityOf({ ...relevance, similarity }, calibration);
  };
  const companies = [...Map.groupBy(hits, (hit) => hit.companyId)].map(([companyId, own]) => {
    const [answering] = own.toSorted((a, b) => relevanceOf(b) - relevanceOf(a));
    return {
      companyId,
      score: Math.max(...own.map((hit) => hit.score)),
      relevance: answering ? relevanceOf(answering) : 0,
      hits: firstWith(own, answering),
    };
  });
  return companies.toSorted((a, b) => b.score - a.score);
}

/** The best observations, with the one that the company is relevant by in place of the last. */
function firstWith(own: readonly RankedHit[], answering: RankedHit | undefined): readonly RankedHit[] {
  const first = own.slice(0, OBSERVATIONS_PER_COMPANY);
  return answering && !first.includes(answering) ? [...first.slice(0, -1), answering] : first;
}

/** Uses the returned observation that is most similar to the query. */
function orderByMeaning(
  companies: readonly RankedCompany[],
  { cosines }: Similarities,
  weight: number,
): readonly RankedCompany[] {
  const similarities = companies.map(({ hits }) => {
    const known = hits.flatMap(({ observationId }) => cosines.get(observationId) ?? []);
    return known.length > 0 ? Math.max(...known) : undefined;
  });
  const scores = weightBySimilarity(
    companies.map(({ score }) => score),
    similarities,
    weight,
  );
  return companies
    .map((company, at) => ({ ...company, score: scores[at] ?? company.score }))
    .toSorted((a, b) => b.score - a.score);
}
