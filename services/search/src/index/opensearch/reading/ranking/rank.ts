import type { Queryable } from '@ces/chassis/postgres/pool';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { EndpointFailure } from '../../../../endpoint/endpoint.ts';
import type { ModelGuard } from '../../../../endpoint/model-guard.ts';
import { planWords } from '../../../../ranking/plan-traits.ts';
import { findsFromOf, type Ranking, type RankingQuery } from '../../../../ranking/ranking.ts';
import { prepareScoring, type Scoring } from '../../../../ranking/scoring.ts';
import { bestCandidates, findMisspellings, lexemesNear, withSpellingCandidates } from '../../../../ranking/spelling.ts';
import type { TermStatistics } from '../../../../ranking/term-statistics.ts';
import { hitOf } from '../../../scored-observation.ts';
import { companiesWith, idsOf, type LiteralCondition } from '../literal/literal-queries.ts';
import { prepareFilters } from '../literal/prepare-filters.ts';
import { filterQueries } from '../query/filters.ts';
import { kindFactors } from '../query/plan-factors.ts';
import type { Query } from '../query/query.ts';
import { type MultiSearchItem, rejectIfIndexGone, type SearchAnswer, type SearchMany } from '../search-many.ts';
import type { WordStatistics } from '../statistics/word-statistics.ts';
import {
  type DescribedCompanies,
  describedCompaniesOf,
  describedGains,
  descriptionSearchBody,
  NONE_DESCRIBED,
} from './described-companies.ts';
import { candidateSearches, candidatesOf, foundOnlyByText, searchesOf } from './find-candidates.ts';
import { foundOf } from './found-observations.ts';
import { orderByMeaning, similarObservations } from './order-by-meaning.ts';
import { type ScoredCandidates, scoreCandidates, scoreSimilar } from './score-candidates.ts';

export interface RankerOptions {
  readonly pool: Queryable;
  readonly searchMany: SearchMany;
  readonly statistics: WordStatistics;
  readonly observations: string;
  readonly companies: string;
  readonly position: ChangePosition | undefined;
  /** Whether the index has vectors: then meaning finds, else it only orders. */
  readonly hasVectors: boolean;
  readonly vectors: ModelGuard;
  readonly keptFrom: number | undefined;
  readonly now: () => number;
}

/** Vectors order at least so many companies that words find, and observations of each. */
const ORDERED = { companies: 300, observationsPerCompany: 20 };

export type TimeLeft = () => number;

interface Retrieved {
  readonly scored: ScoredCandidates;
  readonly isCut: boolean;
  readonly monthsLeftOut: boolean;
}

/** Finds candidates by description and upper bounds, then scores the most promising exactly. */
export async function rank(options: RankerOptions, query: RankingQuery, timeLeft: TimeLeft): Promise<Ranking> {
  const known = await options.statistics.of(planWords(query.plan));
  const { plan, terms } = await withSpellings(options, query, known);
  const scoring = prepareScoring(plan, query.filters, terms);
  const asked = { ...query, plan };
  const { scored, isCut, monthsLeftOut } = await retrieve(options, asked, scoring, timeLeft);
  return {
    hits: scored.companies.flatMap(({ companyId: id, observations }) =>
      observations.map(({ found, ...parts }) => {
        const ids = { observationId: BigInt(found.observationId), companyId: BigInt(id) };
        return hitOf({ ...ids, ...parts }, asked, scoring);
      }),
    ),
    droppedTerms: scoring.unscoredTerms,
    truncated: isCut || scored.isPartial || scoring.unscoredTerms.length > 0,
    monthsLeftOut,
    retrievalCut: scored.isCut,
    countedObservations: terms.observations.documents,
    ranksByWords: scoring.ranksByWords,
    scoring: { own: scoring.own, context: scoring.context },
    position: options.position,
  };
}

async function retrieve(
  options: RankerOptions,
  query: RankingQuery,
  scoring: Scoring,
  timeLeft: TimeLeft,
): Promise<Retrieved> {
  const { searchMany, observations: index } = options;
  const { plan } = query;
  const { described, filters, unseen, isCut, monthsLeftOut } = await prepare(options, query, scoring, timeLeft);
  const search = { plan, scoring, filters };
  const searches = candidateSearches(search, described, limitsOf(query).companies);
  const [found, similar] = await Promise.all([
    searchMany(searchesOf(searches, index), timeLeft()),
    findSimilar(options, query, scoring, filters, timeLeft),
  ]);
  rejectIfIndexGone([...found, ...(similar ?? [])], options.position);
  const highestFactor = Math.max(1, ...kindFactors(plan).values());
  const observed = (similar ?? []).flatMap(({ hits }) => hits.map(foundOf));
  const undescribed = observed.map(({ companyId }) => companyId).filter((id) => !described.gains.has(id));
  const others = [...new Set([...foundOnlyByText(searches, found, described), ...undescribed])];
  const fitting = await withOthers(options, described, others, scoring, timeLeft);
  const candidates = candidatesOf(searches, found, fitting, highestFactor);
  const among = [...candidates.found, ...observed].map(({ companyId }) => companyId);
  const excluded = await excludedOf(options, among, unseen, timeLeft);
  const isAllowed = ({ companyId }: { readonly companyId: number }) => !excluded.has(companyId);
  const context = {
    ...limitsOf(similar ? query : { ...query, meaning: undefined }),
    search,
    meaningFinds: (similar ?? []).length > 0,
    described: fitting,
    levels: searches.levels,
    candidates: { ...candidates, found: candidates.found.filter(isAllowed) },
    highestFactor,
    index,
    ask: async (one: MultiSearchItem) => (await searchMany([one], timeLeft()))[0] as SearchAnswer,
  };
  const byWords = await scoreCandidates(context);
  const { meaning } = query;
  if (!meaning || !similar) return { scored: byWords, isCut, monthsLeftOut };
  const scored = await byVectors(options, timeLeft, async () => {
    const more = await scoreSimilar(context, observed.filter(isAllowed));
    const companies = await orderByMeaning(options.pool, meaning, [...byWords.companies, ...more.companies], query);
    return { ...byWords, companies, isPartial: [byWords, more, ...similar].some(({ isPartial }) => isPartial) };
  });
  if (!scored) return await retrieve(options, { ...query, meaning: undefined }, scoring, timeLeft);
  return { scored, isCut, monthsLeftOut };
}

function limitsOf({ meaning, companies, observationsPerCompany }: RankingQuery) {
  if (!meaning) return { companies, observationsPerCompany };
  return {
    companies: Math.max(companies, ORDERED.companies),
    observationsPerCompany: Math.max(observationsPerCompany, ORDERED.observationsPerCompany),
  };
}

/** Returns no answer if only words find, and undefined if vectors cannot be searched now. */
async function findSimilar(
  options: RankerOptions,
  query: RankingQuery,
  scoring: Scoring,
  filters: readonly Query[],
  timeLeft: TimeLeft,
): Promise<SearchAnswer[] | undefined> {
  const { meaning } = query;
  const findsFrom = options.hasVectors ? findsFromOf(query, scoring) : undefined;
  const body = meaning && findsFrom !== undefined && similarObservations(meaning, filters, findsFrom);
  if (!body) return [];
  return await byVectors(options, timeLeft, () =>
    options.searchMany([{ index: options.observations, body }], timeLeft()),
  );
}

/** Returns undefined if `work` fails, takes too long, or failed so often that it pauses. */
async function byVectors<T>(
  { vectors }: RankerOptions,
  timeLeft: TimeLeft,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const explained = (error: unknown) => {
    const { cause = error } = error as Error;
    throw new EndpointFailure(String(cause));
  };
  return await vectors.ask(() => work().catch(explained), { timeoutMs: timeLeft() });
}

async function withSpellings({ statistics }: RankerOptions, { plan }: RankingQuery, known: TermStatistics) {
  const near = lexemesNear(findMisspellings(plan, known));
  const documents = near.size > 0 ? await statistics.documentsWith([...near.values()].flat()) : undefined;
  const candidates = bestCandidates(near, (lexeme) => documents?.get(lexeme));
  const asked = withSpellingCandidates(plan, known, candidates);
  return { plan: asked.plan, terms: asked.statistics };
}

async function prepare(options: RankerOptions, query: RankingQuery, scoring: Scoring, timeLeft: TimeLeft) {
  const { companies: index, searchMany } = options;
  const prepared = prepareFilters(query, options);
  const { terms } = scoring.context;
  const describedSearches = terms.length > 0 ? [{ index, body: descriptionSearchBody(terms) }] : [];
  const searches = [...describedSearches, ...prepared.searches];
  const answers = await searchMany(searches, timeLeft());
  rejectIfIndexGone(answers, options.position);
  const [ofDescriptions, others] = terms.length > 0 ? [answers[0], answers.slice(1)] : [undefined, answers];
  const { conditions, context, unseen, isCut, monthsLeftOut } = prepared.resolve(others);
  return {
    described: ofDescriptions ? describedCompaniesOf(ofDescriptions) : NONE_DESCRIBED,
    filters: [...filterQueries(query.filters, context), ...conditions],
    unseen,
    isCut: isCut || (ofDescriptions?.isPartial ?? false),
    monthsLeftOut,
  };
}

/** Adds descriptions of companies that were found by observations and are not among the best. */
async function withOthers(
  { companies: index, searchMany }: RankerOptions,
  described: DescribedCompanies,
  found: readonly number[],
  { context }: Scoring,
  timeLeft: TimeLeft,
): Promise<DescribedCompanies> {
  if (described.mostBeyond === 0 || found.length === 0) return described;
  const [answer] = await searchMany([{ index, body: descriptionSearchBody(context.terms, found) }], timeLeft());
  return answer ? { ...described, others: describedGains(answer) } : described;
}

/** An exclusion holds for any number of matches. */
async function excludedOf(
  { companies: index, searchMany }: RankerOptions,
  among: readonly number[],
  unseen: readonly LiteralCondition[],
  timeLeft: TimeLeft,
): Promise<ReadonlySet<number>> {
  if (unseen.length === 0 || among.length === 0) return new Set();
  const answers = await searchMany(
    unseen.map((condition) => companiesWith(condition, index, among)),
    timeLeft(),
  );
  return new Set(answers.flatMap(idsOf));
}
