import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ObservationIndex, RankedHit, Ranking, RankingQuery } from '../index/observation-index.ts';
import { type Calibration, type ProbabilityWeights, probabilityOf } from './calibration.ts';
import { weightBySimilarity } from './fuse.ts';
import { minimumProbability } from './relevance-filter.ts';
import type { SemanticReordering, Similarities } from './similarities.ts';

export interface RankLimits {
  readonly candidates: number;
  readonly companies: number;
  /** Converts scores to the probabilities that the plan's minimum applies to. */
  readonly calibration: ProbabilityWeights & Pick<Calibration, 'trusted'>;
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
 * Ranks candidates by words up to the limit, lets the cross-encoder read the most probable ones,
 * filters by relevance, reorders by meaning, and truncates.
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
  const companies = [...Map.groupBy(ranking.hits, ({ companyId }) => companyId)];
  const hits = companies.slice(0, limits.candidates).flatMap(([, own]) => own);
  const similarities = await findSimilarities(meaning, plan, hits);
  const probability = probabilityFor(limits.calibration, similarities);
  const canRead = similarities !== undefined && similarities.model === limits.calibration.reading?.model;
  const reader = canRead ? meaning : undefined;
  const found = await readMostProbable(reader, plan, groupByCompany(hits, probability), probability);
  const probable = minimumProbability(plan, ranking);
  const relevant = found.candidates.filter(({ relevance }) => relevance >= probable);
  const ordered = found.areRead ? byRelevance(relevant) : orderByMeaning(relevant, similarities, meaning?.weight);
  return {
    companies: ordered.slice(0, limits.companies),
    candidates: found.candidates.length,
    candidateLimitReached: companies.length > limits.candidates,
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

interface Candidate extends RankedCompany {
  /** The observation that `relevance` is the probability of. */
  readonly answering: RankedHit;
}

type ProbabilityOf = (hit: RankedHit, logOdds?: number) => number;

/** Similarities count only if they are of the model that was calibrated. */
function probabilityFor(calibration: ProbabilityWeights, similarities: Similarities | undefined): ProbabilityOf {
  const isCalibrated = similarities?.model === calibration.meaning?.model;
  return ({ observationId, relevance }, logOdds) => {
    const similarity = isCalibrated ? similarities?.cosines.get(observationId) : undefined;
    return probabilityOf({ ...relevance, similarity, logOdds }, calibration);
  };
}

/** Scores each company by its best observation. Ties keep the order of the hits. */
function groupByCompany(hits: readonly RankedHit[], probability: ProbabilityOf): readonly Candidate[] {
  const companies = [...Map.groupBy(hits, (hit) => hit.companyId)].flatMap(([companyId, own]) => {
    const [answering] = own.toSorted((a, b) => probability(b) - probability(a));
    if (!answering) return [];
    const score = Math.max(...own.map((hit) => hit.score));
    return [{ companyId, score, relevance: probability(answering), hits: firstWith(own, answering), answering }];
  });
  return companies.toSorted((a, b) => b.score - a.score);
}

/**
 * The cross-encoder reads the most probable observation of each of the most probable companies, and
 * its score replaces their probability. The others keep theirs. Scores count only with vectors of
 * the model that they were calibrated with.
 */
async function readMostProbable(
  meaning: SemanticReordering | undefined,
  { query }: Plan,
  candidates: readonly Candidate[],
  probability: ProbabilityOf,
): Promise<{ readonly candidates: readonly Candidate[]; readonly areRead: boolean }> {
  if (!meaning?.reading || candidates.length === 0) return { candidates, areRead: false };
  const read = byRelevance(candidates).slice(0, meaning.reading.companies);
  const passages = read.map(({ companyId, answering }) => ({ companyId, observationId: answering.observationId }));
  const bounds = { signal: meaning.signal, timeoutMs: meaning.timeLeftMs() };
  const scores = await meaning.reading.score(query, passages, bounds);
  if (!scores) return { candidates, areRead: false };
  const relevanceOf = ({ answering }: Candidate) => probability(answering, scores.logOdds.get(answering.observationId));
  return { candidates: candidates.map((one) => ({ ...one, relevance: relevanceOf(one) })), areRead: true };
}

/** The order of equals stays. */
function byRelevance<C extends RankedCompany>(companies: readonly C[]): readonly C[] {
  return companies.toSorted((a, b) => b.relevance - a.relevance);
}

/** The best observations, with the one that the company is relevant by in place of the last. */
function firstWith(own: readonly RankedHit[], answering: RankedHit | undefined): readonly RankedHit[] {
  const first = own.slice(0, OBSERVATIONS_PER_COMPANY);
  return answering && !first.includes(answering) ? [...first.slice(0, -1), answering] : first;
}

/** Uses the returned observation that is most similar to the query. */
function orderByMeaning(
  companies: readonly RankedCompany[],
  found: Similarities | undefined,
  weight = 0,
): readonly RankedCompany[] {
  if (!found) return companies;
  const similarities = companies.map(({ hits }) => {
    const known = hits.flatMap(({ observationId }) => found.cosines.get(observationId) ?? []);
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
