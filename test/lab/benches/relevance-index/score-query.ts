import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { systemClock } from '@ces/chassis/service/clock';
import { KINDS } from '@ces/proto/catalog';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type Plan, type SearchFilters, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { planQuery } from '@ces/search/planning/plan-query';
import { currentCalibration } from '@ces/search/ranking/calibration';
import { type CompanyRanking, type RankedCompany, rankCompanies } from '@ces/search/ranking/rank-companies';
import type { QueryMeaning } from '@ces/search/ranking/ranking';
import { type JudgedQuery, kindNamed } from './corpus.ts';
import type { CorpusIndex } from './corpus-index.ts';
import { ndcg, recallAt100 } from './measures.ts';

export interface Score {
  readonly query: JudgedQuery;
  readonly ndcg: number;
  /** nDCG that counts a company only if it shows a relevant observation. */
  readonly evidence: number;
  readonly recall: number;
  readonly kindPrecision: number;
  readonly ms: number;
}

const EVENT_KINDS = KINDS.filter((kind) => kind !== Kind.COMPANY_PROFILE);
/** Kinds that a company search accepts as filters. A query names other kinds only in words. */
const FILTER_KINDS: ReadonlySet<string> = new Set(['company_profile', 'procurement_request', 'facility_expansion']);
const LIMITS = {
  candidates: 200,
  companies: 100,
  calibration: currentCalibration(),
};

/** Scores every query. Runs the first query twice to exclude a cold start. */
export async function scoreQueries(subject: CorpusIndex): Promise<Score[]> {
  const scores: Score[] = [];
  for (const query of [...subject.judged.slice(0, 1), ...subject.judged])
    scores.push(judge(await rankQuery(query, subject), subject));
  return scores.slice(1);
}

export type FilteredQuery = Pick<JudgedQuery, 'query' | 'filters'>;

interface Ranked<Q extends FilteredQuery = JudgedQuery> {
  readonly query: Q;
  readonly companies: readonly RankedCompany[];
  readonly ms: number;
}

export async function rankQuery<Q extends FilteredQuery>(
  query: Q,
  subject: Pick<CorpusIndex, 'index' | 'vocabulary'>,
  meaning?: QueryMeaning,
): Promise<Ranked<Q>> {
  const filters = filtersOf(query);
  const began = performance.now();
  const plan = planQuery(query.query, filters, subject.vocabulary, systemClock.now());
  const { companies } = await rankPlan(subject.index, plan, filters, meaning);
  return { query, companies, ms: performance.now() - began };
}

export function rankPlan(
  index: CorpusIndex['index'],
  plan: Plan,
  filters: SearchFilters,
  meaning?: QueryMeaning,
): Promise<CompanyRanking> {
  return rankCompanies(index, plan, filters, LIMITS, { explain: false, timeoutMs: undefined, meaning });
}

export function judge({ query, companies, ms }: Ranked, subject: Pick<CorpusIndex, 'corpus'>): Score {
  const kindOf = (id: bigint) => subject.corpus.byId.get(id)?.kind;
  const isAsked = (id: bigint) => kindOf(id) === kindNamed(query.pool.kind);
  const inPool = (id: bigint) => isAsked(id) && subject.corpus.byId.get(id)?.origin === query.pool.source;
  const returned = companies.filter((company) => company.hits.some((hit) => inPool(hit.observationId)));
  const ids = returned.map((company) => company.companyId);
  const relevant = new Set(query.relevant_company_ids.map(BigInt));
  const answers = new Set(query.relevant_observation_ids.map(BigInt));
  const shows = ({ hits }: RankedCompany) => hits.some(({ observationId: id }) => inPool(id) && answers.has(id));
  const ofKind = companies.slice(0, 10).filter((company) => company.hits.some((hit) => isAsked(hit.observationId)));
  return {
    query,
    ndcg: ndcg(
      ids.map((id) => relevant.has(id)),
      relevant.size,
      10,
    ),
    evidence: ndcg(returned.map(shows), relevant.size, 10),
    recall: recallAt100(ids, relevant),
    kindPrecision: companies.length === 0 ? 0 : ofKind.length / Math.min(10, companies.length),
    ms,
  };
}

/** The filters of a query, limited to those that a subscriber can set. */
export function filtersOf({ filters }: FilteredQuery): SearchFilters {
  const kinds = (filters.kinds ?? []).filter((kind) => FILTER_KINDS.has(kind)).map(kindNamed);
  return create(SearchFiltersSchema, {
    kinds: kinds.length > 0 ? kinds : EVENT_KINDS,
    countries: (filters.countries ?? []).map((code) => Country[code as keyof typeof Country]),
    ...(filters.occurred_after && { occurredAfter: timestampFromDate(new Date(filters.occurred_after)) }),
  });
}
