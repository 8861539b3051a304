import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { type Calibration, probabilityOf, type RelevanceFeatures } from './calibration.ts';
import { weightBySimilarity } from './fuse.ts';
import { namedKinds, namesKindsForCertain } from './plan-traits.ts';
import type { QueryMeaning, RankedHit, Ranking, RankingQuery } from './ranking.ts';
import { minimumProbability } from './relevance-filter.ts';
import { namesOnlyKinds, searchesEvents } from './scoring.ts';
import { missedConditions, type StatedCondition, scoreIfMet, unmetConditions } from './stated-conditions.ts';

export interface RankLimits {
  readonly candidates: number;
  readonly companies: number;
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
  /** A threshold excluded possibly irrelevant companies. */
  readonly relevanceValidated: boolean;
  readonly byMeaning: boolean;
  /** Stated conditions that nothing found meets together with the others. */
  readonly unmet: readonly StatedCondition[];
  readonly ranking: Ranking;
}

/** The part of an index that ranks observations. */
export interface RankedIndex {
  rank(query: RankingQuery): Promise<Ranking>;
}

const OBSERVATIONS_PER_COMPANY = 3;
const OBSERVATIONS_THAT_ANSWER = 20;

/** Leaves out companies that miss a stated condition or are unlikely to answer. */
export async function rankCompanies(
  index: RankedIndex,
  plan: Plan,
  filters: SearchFilters,
  limits: RankLimits,
  how: Pick<RankingQuery, 'timeoutMs' | 'meaning'>,
): Promise<CompanyRanking> {
  const kinds = asksKindsAlone(plan, filters) ? namedKinds(plan) : undefined;
  const asked = filters.kinds.filter((kind) => kinds?.includes(kind));
  const ranking = await index.rank({
    plan,
    filters: asked.length > 0 ? { ...filters, kinds: asked } : filters,
    companies: limits.candidates + 1,
    observationsPerCompany: plan.minimumRelevance > 0 ? OBSERVATIONS_THAT_ANSWER : OBSERVATIONS_PER_COMPANY,
    ...how,
  });
  const meeting = ranking.hits.filter(
    (hit) => missedConditions(hit).length === 0 && (hit.kindFactor > 1 || kinds === undefined),
  );
  const found = [...Map.groupBy(meeting, ({ companyId }) => companyId)];
  const hits = found.slice(0, limits.candidates).flatMap(([, own]) => own);
  const { meaning } = how;
  const byMeaning = hits.some(hasSimilarity);
  const isCalibrated = meaning !== undefined && meaning.model === limits.calibration.meaning?.model;
  const probabilityAt = (hit: RankedHit, score: number) =>
    probabilityOf({ ...relevanceOf(hit, isCalibrated), score }, limits.calibration);
  const candidates = groupByCompany(hits, (hit) => probabilityAt(hit, hit.relevance.score));
  const probable = minimumProbability(plan, ranking);
  const relevant = candidates.filter(({ relevance }) => relevance >= probable);
  const ordered = meaning && byMeaning ? orderByMeaning(relevant, meaning) : relevant;
  return {
    companies: ordered.slice(0, limits.companies),
    candidates: candidates.length,
    candidateLimitReached: found.length > limits.candidates,
    relevanceValidated: probable > 0 && isTrusted(limits.calibration, isCalibrated && hits.every(hasSimilarity)),
    byMeaning,
    unmet: unmetConditions(
      relevant.length > 0
        ? relevant.flatMap((company) => company.hits)
        : ranking.hits.filter((hit) => probabilityAt(hit, scoreIfMet(hit)) >= probable),
    ),
    ranking,
  };
}

/** A query of nothing but kinds, places and times asks for no other kind. */
function asksKindsAlone(plan: Plan, filters: SearchFilters): boolean {
  return namesKindsForCertain(plan) && namesOnlyKinds(plan) && searchesEvents(filters);
}

function hasSimilarity({ relevance }: RankedHit): boolean {
  return relevance.similarity !== undefined;
}

function isTrusted({ trusted, meaning }: RankLimits['calibration'], byMeaning: boolean): boolean {
  return byMeaning ? (meaning?.trusted ?? trusted) : trusted;
}

/** Only the calibration's model has calibrated similarities. */
function relevanceOf({ relevance }: RankedHit, isCalibrated: boolean): RelevanceFeatures {
  const { similarity, ...byWords } = relevance;
  return isCalibrated ? relevance : byWords;
}

/** Scores a company by its best observation. Ties keep the order of the hits. */
function groupByCompany(hits: readonly RankedHit[], relevanceOf: (hit: RankedHit) => number): RankedCompany[] {
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

/** The last of the best gives way to the one that the company is relevant by. */
function firstWith(own: readonly RankedHit[], answering: RankedHit | undefined): readonly RankedHit[] {
  const first = own.slice(0, OBSERVATIONS_PER_COMPANY);
  return answering && !first.includes(answering) ? [...first.slice(0, -1), answering] : first;
}

/** A company ranks by the observation whose score and similarity are best together. */
function orderByMeaning(companies: readonly RankedCompany[], { weight }: QueryMeaning): readonly RankedCompany[] {
  const hits = companies.flatMap((company) => company.hits.map((hit) => ({ hit, company })));
  const weighted = weightBySimilarity(
    Float64Array.from(hits, ({ hit }) => hit.score),
    Float64Array.from(hits, ({ hit }) => hit.relevance.similarity ?? Number.NaN),
    weight,
  );
  const best = new Map<RankedCompany, number>();
  for (const [at, { company }] of hits.entries())
    best.set(company, Math.max(best.get(company) ?? 0, weighted[at] ?? 0));
  return companies
    .map((company) => ({ ...company, score: best.get(company) ?? company.score }))
    .toSorted((a, b) => b.score - a.score);
}
