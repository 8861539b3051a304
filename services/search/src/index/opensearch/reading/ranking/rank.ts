import type { Queryable } from '@ces/chassis/postgres/pool';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@opensearch-project/opensearch';
import { planWords } from '../../../../ranking/plan-traits.ts';
import { findsFromOf, type Ranking, type RankingQuery } from '../../../../ranking/ranking.ts';
import { prepareScoring, type Scoring } from '../../../../ranking/scoring.ts';
import { findMisspellings, withSpellingCandidates } from '../../../../ranking/spelling.ts';
import type { TermStatistics } from '../../../../ranking/term-statistics.ts';
import { hitOf } from '../../../scored-observation.ts';
import { companiesWith, idsOf, type LiteralCondition } from '../literal/literal-queries.ts';
import { prepareFilters } from '../literal/prepare-filters.ts';
import { filterQueries } from '../query/filters.ts';
import { kindFactors } from '../query/plan-factors.ts';
import { type MultiSearchItem, rejectIfIndexGone, type SearchAnswer, type SearchMany } from '../search-many.ts';
import { findSpellingCandidates } from '../statistics/spelling-candidates.ts';
import type { WordStatistics } from '../statistics/word-statistics.ts';
import {
  type DescribedCompanies,
  describedCompaniesOf,
  describedGains,
  descriptionSearchBody,
  NONE_DESCRIBED,
} from './described-companies.ts';
import { explainGains, type Gains } from './explain-gains.ts';
import { candidateSearches, candidatesOf, foundOnlyByText, searchesOf } from './find-candidates.ts';
import { foundOf } from './found-observations.ts';
import { orderByMeaning, similarObservations } from './order-by-meaning.ts';
import { type ScoredCandidates, scoreCandidates, scoreSimilar } from './score-candidates.ts';
import { scoredRows } from './scored-rows.ts';

export interface RankerOptions {
  readonly client: Client;
  readonly pool: Queryable;
  readonly searchMany: SearchMany;
  readonly statistics: WordStatistics;
  readonly observations: string;
  readonly companies: string;
  readonly position: ChangePosition | undefined;
  /** Whether the index has vectors: then meaning finds, else it only orders. */
  readonly hasVectors: boolean;
  readonly keptFrom: number | undefined;
  readonly now: () => number;
}

/** Vectors order at least so many companies that words find, and observations of each. */
const ORDERED = { companies: 300, observationsPerCompany: 20 };

export type TimeLeft = () => number;

/** Finds candidates by description and upper bounds, then scores the most promising exactly. */
export async function rank(options: RankerOptions, query: RankingQuery, timeLeft: TimeLeft): Promise<Ranking> {
  const known = await options.statistics.of(planWords(query.plan));
  const { plan, terms } = await withSpellings(options, query, known);
  const scoring = prepareScoring(plan, query.filters, terms);
  const asked = { ...query, plan };
  const { scored, isCut, monthsLeftOut } = await retrieve(options, asked, scoring, timeLeft);
  const gains = query.explain ? await gainsOf(options, scored, scoring, timeLeft) : undefined;
  return {
    hits: scoredRows(scored, scoring.own.terms, gains).map((row) => hitOf(row, asked, scoring)),
    droppedTerms: scoring.unscoredTerms,
    truncated: isCut || scored.isPartial || scoring.unscoredTerms.length > 0,
    monthsLeftOut,
    retrievalCut: scored.isCut,
    countedObservations: terms.observations.documents,
    ranksByWords: scoring.ranksByWords,
    position: options.position,
  };
}

async function retrieve(options: RankerOptions, query: RankingQuery, scoring: Scoring, timeLeft: TimeLeft) {
  const { searchMany, observations: index } = options;
  const { plan, meaning } = query;
  const atLeast = (key: keyof typeof ORDERED) => (meaning ? Math.max(query[key], ORDERED[key]) : query[key]);
  const companies = atLeast('companies');
  const { described, filters, unseen, isCut, monthsLeftOut } = await prepare(options, query, scoring, timeLeft);
  const findsFrom = options.hasVectors ? findsFromOf(query, scoring) : undefined;
  const search = { plan, scoring, filters, meaningFinds: findsFrom !== undefined };
  const searches = candidateSearches(search, described, companies);
  const byWords = searchesOf(searches, index);
  const bySimilarity = meaning && findsFrom !== undefined && similarObservations(meaning, filters, findsFrom);
  const asked = [...byWords, ...(bySimilarity ? [{ index, body: bySimilarity }] : [])];
  const answers = asked.length > 0 ? await searchMany(asked, timeLeft()) : [];
  rejectIfIndexGone(answers, options.position);
  const found = answers.slice(0, byWords.length);
  const similar = answers.slice(byWords.length);
  const highestFactor = Math.max(1, ...kindFactors(plan).values());
  const observed = similar.flatMap(({ hits }) => hits.map(foundOf));
  const undescribed = observed.map(({ companyId }) => companyId).filter((id) => !described.gains.has(id));
  const others = [...new Set([...foundOnlyByText(searches, found, described), ...undescribed])];
  const fitting = await withOthers(options, described, others, scoring, timeLeft);
  const candidates = candidatesOf(searches, found, fitting, highestFactor);
  const among = [...candidates.found, ...observed].map(({ companyId }) => companyId);
  const excluded = await excludedOf(options, among, unseen, timeLeft);
  const isAllowed = ({ companyId }: { readonly companyId: number }) => !excluded.has(companyId);
  const context = {
    companies,
    observationsPerCompany: atLeast('observationsPerCompany'),
    search,
    described: fitting,
    levels: searches.levels,
    candidates: { ...candidates, found: candidates.found.filter(isAllowed) },
    highestFactor,
    index,
    ask: async (one: MultiSearchItem) => (await searchMany([one], timeLeft()))[0] as SearchAnswer,
  };
  const scored = await scoreCandidates(context);
  if (!meaning) return { scored, isCut, monthsLeftOut };
  const { companies: more, isPartial } = await scoreSimilar(context, observed.filter(isAllowed));
  const ordered = await orderByMeaning(options.pool, meaning, [...scored.companies, ...more], query);
  const isIncomplete = scored.isPartial || isPartial || similar.some((answer) => answer.isPartial);
  return { scored: { ...scored, companies: ordered, isPartial: isIncomplete }, isCut, monthsLeftOut };
}

async function withSpellings({ statistics }: RankerOptions, { plan }: RankingQuery, known: TermStatistics) {
  const candidates = await findSpellingCandidates(statistics, findMisspellings(plan, known, Number.POSITIVE_INFINITY));
  const asked = withSpellingCandidates(plan, known, candidates);
  return { plan: asked.plan, terms: asked.statistics };
}

async function prepare(options: RankerOptions, query: RankingQuery, scoring: Scoring, timeLeft: TimeLeft) {
  const { companies: index, searchMany } = options;
  const prepared = prepareFilters(query, options);
  const { terms } = scoring.context;
  const describedSearches = terms.length > 0 ? [{ index, body: descriptionSearchBody(terms) }] : [];
  const searches = [...describedSearches, ...prepared.searches];
  const answers = searches.length > 0 ? await searchMany(searches, timeLeft()) : [];
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

async function gainsOf(
  { client, observations, companies }: RankerOptions,
  scored: ScoredCandidates,
  { own, context }: Scoring,
  timeLeft: TimeLeft,
): Promise<{ readonly own: Gains; readonly context: Gains }> {
  const shown = scored.companies.flatMap((company) => company.observations.map(({ found }) => found.observationId));
  const theirs = scored.companies.filter(hasContext).map(({ companyId }) => companyId);
  const [ownGains, contextGains] = await Promise.all([
    explainGains(client, { index: observations, field: 'observation_id', ids: shown }, own.terms, timeLeft()),
    explainGains(client, { index: companies, field: 'company_id', ids: theirs }, context.terms, timeLeft()),
  ]);
  return { own: ownGains, context: contextGains };
}

/** Descriptions of merged and deleted companies do not count. */
function hasContext({ observations }: ScoredCandidates['companies'][number]): boolean {
  return observations.some(({ context }) => context > 0);
}
