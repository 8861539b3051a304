import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { systemClock } from '@ces/chassis/service/clock';
import { KINDS } from '@ces/proto/catalog';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type SearchFilters, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { planQuery } from '@ces/search/planning/plan-query';
import { currentCalibration } from '@ces/search/ranking/calibration';
import { type RankedCompany, rankCompanies } from '@ces/search/ranking/rank-companies';
import type { QueryMeaning } from '@ces/search/ranking/ranking';
import { type FilteredQuery, type JudgedQuery, kindNamed } from './corpus.ts';
import type { CorpusIndex } from './corpus-index.ts';
import { ndcg } from './measures.ts';

const EVENT_KINDS = KINDS.filter((kind) => kind !== Kind.COMPANY_PROFILE);
/** Kinds that a company search accepts as filters. A query names other kinds only in words. */
const FILTER_KINDS: ReadonlySet<string> = new Set(['company_profile', 'procurement_request', 'facility_expansion']);
const LIMITS = {
  candidates: 200,
  companies: 100,
  calibration: currentCalibration(),
};

/** The companies of a query, best first. Without `meaning` only words count. */
export async function rankQuery(
  query: FilteredQuery,
  { index, vocabulary }: Pick<CorpusIndex, 'index' | 'vocabulary'>,
  meaning?: QueryMeaning,
): Promise<readonly RankedCompany[]> {
  const filters = filtersOf(query);
  const plan = planQuery(query.query, filters, vocabulary, systemClock.now());
  const options = { timeoutMs: undefined, meaning };
  return (await rankCompanies(index, plan, filters, LIMITS, options)).companies;
}

/**
 * nDCG@10 by evidence: a company counts if it shows a relevant observation. One that shows none
 * from the judged pool is skipped.
 */
export function scoreByFields(
  query: JudgedQuery,
  companies: readonly RankedCompany[],
  byId: CorpusIndex['corpus']['byId'],
): number {
  const { source, kind } = query.pool;
  const inPool = (id: bigint) => byId.get(id)?.kind === kindNamed(kind) && byId.get(id)?.origin === source;
  const answers = new Set(query.relevant_observation_ids.map(BigInt));
  const pooled = companies
    .map(({ hits }) => hits.map(({ observationId }) => observationId).filter(inPool))
    .filter((ids) => ids.length > 0);
  const gains = pooled.map((ids) => ids.some((id) => answers.has(id)));
  return ndcg(gains, new Set(query.relevant_company_ids).size, 10);
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
