import { ofCompanies } from '../query/filters.ts';
import { terms } from '../query/query.ts';
import { type ContextLevel, needsNames, type RankedSearch, rankingQuery } from '../query/ranking-query.ts';
import type { MultiSearchItem, SearchAnswer } from '../search-many.ts';
import type { DescribedCompanies } from './described-companies.ts';
import type { Candidate, Candidates } from './find-candidates.ts';
import { bestObservations, bestOfEach, type FoundObservation, foundOf } from './found-observations.ts';
import { type CompanyGain, createPartReader, type ScoredObservation } from './observed-parts.ts';
import { describedQuery, wordlessQueries } from './wordless-queries.ts';

export interface ScoredCompany {
  readonly companyId: number;
  readonly observations: readonly ScoredObservation[];
}

export interface ScoredCandidates {
  readonly companies: readonly ScoredCompany[];
  readonly isCut: boolean;
  readonly isPartial: boolean;
}

export interface CandidateScoring {
  readonly search: RankedSearch;
  readonly meaningFinds: boolean;
  readonly described: DescribedCompanies;
  readonly levels: readonly ContextLevel[];
  readonly candidates: Candidates;
  readonly highestFactor: number;
  readonly companies: number;
  readonly observationsPerCompany: number;
  readonly index: string;
  readonly ask: (search: MultiSearchItem) => Promise<SearchAnswer>;
}

/** Companies of a round beyond those requested; at most GOES rounds. */
const SLACK = 50;
const GOES = 3;
/** Observations are read in the order of upper bounds, so more than requested. */
const MORE_OBSERVATIONS = 2;
const MOST_OBSERVATIONS = 100;

/** Relative error of the bounds, which are single-precision floats. */
const SINGLE_PRECISION = 1e-5;

/** Scores candidates exactly, by descending upper bound, until no other can be among the best. */
export async function scoreCandidates(scoring: CandidateScoring): Promise<ScoredCandidates> {
  const { candidates, companies } = scoring;
  let isPartial = candidates.isPartial;
  let isHidden = false;
  let scored: ScoredCompany[] = [];
  let done = 0;
  for (let go = 0; go < GOES && done < candidates.found.length; go += 1) {
    const chunk = candidates.found.slice(done, done + companies + SLACK);
    const scoredNow = await scoreChunk(scoring, chunk);
    isPartial ||= scoredNow.isPartial;
    isHidden ||= scoredNow.isCut;
    scored = [...scored, ...scoredNow.companies].toSorted((a, b) => compareBest(a, b)).slice(0, companies);
    done += chunk.length;
    if (leastOf(scored, companies) >= (candidates.found[done]?.atMost ?? 0)) break;
  }
  const beyond = Math.max(candidates.mostBeyond, candidates.found[done]?.atMost ?? 0);
  const isFull = scored.length >= companies;
  return {
    companies: scored.map(({ companyId, observations }) => ({
      companyId,
      observations: observations.slice(0, scoring.observationsPerCompany),
    })),
    isCut: isHidden || (beyond > 0 && (!isFull || beyond > leastOf(scored, companies) * (1 + SINGLE_PRECISION))),
    isPartial,
  };
}

async function scoreChunk(scoring: CandidateScoring, chunk: readonly Candidate[]): Promise<ScoredCandidates> {
  const ids = chunk.map(({ companyId }) => companyId);
  const few = await askFor(scoring, ids, scoring.observationsPerCompany + MORE_OBSERVATIONS);
  if (few.undecided.length === 0) return { ...few, isCut: false };
  const more = await askFor(scoring, few.undecided, MOST_OBSERVATIONS);
  const deeper = new Map(more.companies.map((company) => [company.companyId, company]));
  return {
    companies: few.companies.map((company) => deeper.get(company.companyId) ?? company),
    isCut: more.undecided.length > 0,
    isPartial: few.isPartial || more.isPartial,
  };
}

async function askFor(scoring: CandidateScoring, ids: readonly number[], each: number) {
  const gainOf = gainsOf(scoring);
  const read = createPartReader(scoring.search, scoring.meaningFinds, gainOf);
  const { best, isPartial } = await scoring.ask({
    index: scoring.index,
    body: bestOfEach(detailQuery(scoring, ids), ids, each),
  });
  const companies = [...best].map(([companyId, hits]) => ({
    companyId,
    observations: hits.map(foundOf).map(read).toSorted(bestFirst),
  }));
  const uncounted = (companyId: number) => {
    const { gain, counted } = gainOf(companyId);
    return Math.max(0, gain - counted) * scoring.highestFactor;
  };
  const undecided = companies.filter(({ companyId, observations }) => {
    const atMost = Math.min(...observations.map(({ found }) => found.score)) + uncounted(companyId);
    const least = observations[scoring.observationsPerCompany - 1]?.total ?? 0;
    return observations.length === each && atMost > least * (1 + SINGLE_PRECISION);
  });
  return { companies, undecided: undecided.map(({ companyId }) => companyId), isPartial };
}

/** Scores observations that are found without a word of the query. */
export async function scoreSimilar(
  scoring: CandidateScoring,
  similar: readonly FoundObservation[],
): Promise<Pick<ScoredCandidates, 'companies' | 'isPartial'>> {
  if (similar.length === 0) return { companies: [], isPartial: false };
  const { search, index } = scoring;
  const ids = similar.map(({ observationId }) => observationId);
  const within = { ...search, filters: [...search.filters, terms('observation_id', ids)] };
  const counted = countedLevels(scoring, new Set(similar.map(({ companyId }) => companyId)));
  const query = rankingQuery(within, [{ match_all: {} }], counted, needsNames(search.plan));
  const { hits, isPartial } = await scoring.ask({ index, body: bestObservations(query, ids.length) });
  const read = createPartReader(search, scoring.meaningFinds, gainsOf(scoring));
  const byCompany = Map.groupBy(hits.map(foundOf).map(read), ({ found }) => found.companyId);
  return { companies: [...byCompany].map(([companyId, observations]) => ({ companyId, observations })), isPartial };
}

function leastOf(scored: readonly ScoredCompany[], companies: number): number {
  return scored[companies - 1]?.observations[0]?.total ?? 0;
}

function detailQuery(candidates: CandidateScoring, ids: readonly number[]) {
  const { search, described } = candidates;
  const { plan, scoring, filters } = search;
  const fitting = ids.filter((id) => described.gains.has(id));
  const ofFitting = fitting.length > 0 ? [{ bool: { filter: [ofCompanies(fitting), describedQuery(plan)] } }] : [];
  const within = { ...search, filters: [...filters, ofCompanies(ids)] };
  const retrieving = [...wordlessQueries(plan, scoring), ...ofFitting];
  return rankingQuery(within, retrieving, countedLevels(candidates, new Set(ids)), needsNames(plan));
}

function countedLevels({ levels }: CandidateScoring, theirs: ReadonlySet<number>): ContextLevel[] {
  return levels.flatMap(({ gain, companies }) => {
    const here = companies.filter((company) => theirs.has(company));
    return here.length > 0 ? [{ gain, companies: here }] : [];
  });
}

function gainsOf({ described, levels }: CandidateScoring): (companyId: number) => CompanyGain {
  const counted = new Map(levels.flatMap(({ gain, companies }) => companies.map((company) => [company, gain])));
  const { gains, others } = described;
  return (companyId) => ({
    gain: gains.get(companyId) ?? others.get(companyId) ?? 0,
    counted: counted.get(companyId) ?? 0,
  });
}

export function bestFirst(a: ScoredObservation, b: ScoredObservation): number {
  return b.rank - a.rank || newestFirst(a, b) || a.found.observationId - b.found.observationId;
}

export function compareBest(
  { companyId: a, observations: ofA }: ScoredCompany,
  { companyId: b, observations: ofB }: ScoredCompany,
): number {
  const [bestOfA, bestOfB] = [ofA[0], ofB[0]];
  if (!bestOfA || !bestOfB) return Number(!bestOfA) - Number(!bestOfB);
  return bestOfB.rank - bestOfA.rank || newestFirst(bestOfA, bestOfB) || a - b;
}

function newestFirst({ found: a }: ScoredObservation, { found: b }: ScoredObservation): number {
  if (a.occurredAt === b.occurredAt) return 0;
  if (a.occurredAt === undefined) return 1;
  return b.occurredAt === undefined ? -1 : b.occurredAt - a.occurredAt;
}
