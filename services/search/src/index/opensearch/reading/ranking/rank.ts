import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@opensearch-project/opensearch';
import { planWords } from '../../../../ranking/plan-traits.ts';
import type { Ranking, RankingQuery } from '../../../../ranking/ranking.ts';
import { prepareScoring, type Scoring } from '../../../../ranking/scoring.ts';
import { findMisspellings, withSpellingCandidates } from '../../../../ranking/spelling.ts';
import type { TermStatistics } from '../../../../ranking/term-statistics.ts';
import { hitOf } from '../../../scored-observation.ts';
import { companiesWith, idsOf, type LiteralCondition } from '../literal/literal-queries.ts';
import { prepareFilters } from '../literal/prepare-filters.ts';
import { filterQueries } from '../query/filters.ts';
import { kindFactors } from '../query/plan-factors.ts';
import { rejectIfIndexGone, type SearchMany } from '../search-many.ts';
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
import { type Candidates, candidateSearches, candidatesOf, foundOnlyByText, searchesOf } from './find-candidates.ts';
import { type ScoredCandidates, scoreCandidates } from './score-candidates.ts';
import { scoredRows } from './scored-rows.ts';

export interface RankerOptions {
  readonly client: Client;
  readonly searchMany: SearchMany;
  readonly statistics: WordStatistics;
  readonly observations: string;
  readonly companies: string;
  readonly position: ChangePosition | undefined;
  readonly keptFrom: number | undefined;
  readonly now: () => number;
}

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
  const { plan } = query;
  const { described, filters, unseen, isCut, monthsLeftOut } = await prepare(options, query, scoring, timeLeft);
  const search = { plan, scoring, filters };
  const searches = candidateSearches(search, described, query.companies);
  const answers = searchesOf(searches, index);
  const found = answers.length > 0 ? await searchMany(answers, timeLeft()) : [];
  rejectIfIndexGone(found, options.position);
  const highestFactor = Math.max(1, ...kindFactors(plan).values());
  const fitting = await withOthers(options, described, foundOnlyByText(searches, found, described), scoring, timeLeft);
  const candidates = candidatesOf(searches, found, fitting, highestFactor);
  const scored = await scoreCandidates({
    ...query,
    search,
    described: fitting,
    levels: searches.levels,
    candidates: await withoutExcluded(options, candidates, unseen, timeLeft),
    highestFactor,
    index,
    ask: async (one) => (await searchMany([one], timeLeft()))[0] as Awaited<ReturnType<SearchMany>>[number],
  });
  return { scored, isCut, monthsLeftOut };
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
async function withoutExcluded(
  { companies: index, searchMany }: RankerOptions,
  candidates: Candidates,
  unseen: readonly LiteralCondition[],
  timeLeft: TimeLeft,
): Promise<Candidates> {
  if (unseen.length === 0 || candidates.found.length === 0) return candidates;
  const among = candidates.found.map(({ companyId }) => companyId);
  const answers = await searchMany(
    unseen.map((condition) => companiesWith(condition, index, among)),
    timeLeft(),
  );
  const excluded = new Set(answers.flatMap(idsOf));
  return { ...candidates, found: candidates.found.filter(({ companyId }) => !excluded.has(companyId)) };
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
