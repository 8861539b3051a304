import { create, toJsonString } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/failure';
import { type Plan, PlanSchema, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { SearchResponse } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { signCursor } from '../cursor/cursor.ts';
import type { FrozenPlan } from '../db/plan.ts';
import type { Shortlist } from '../db/shortlist.ts';
import { pageFingerprint } from '../input/fingerprint.ts';
import type { CompanySearchForm } from '../input/form.ts';
import type { Operation } from '../operation/operation.ts';
import type { FrozenCoverage, Reference } from '../operation/result.ts';
import { retrievalName } from '../operation/words.ts';
import { companyFilters, type EffectiveSearch, effectiveSearch, type FilterValues } from './effective-search.ts';
import { toReference } from './references.ts';
import { survivorsOf, walkShortlist } from './walk.ts';
import { type Bounds, distinctCompanies, type Work, type WorkTools } from './work.ts';

/** A company search from its plan to its first page (architecture.md, How a company search runs). */
export async function searchCompanies(
  tools: WorkTools,
  operation: Operation,
  form: CompanySearchForm,
  bounds: Bounds,
): Promise<Work> {
  const search = effectiveSearch(form, operation.createdAt);
  const ranking = search.kinds.length > 0 ? await rank(tools, form, search, bounds) : NOTHING;
  const items = (ranking.found?.companies ?? []).slice(0, search.shortlistCap).map(toItem);
  const walk = await walkShortlist(tools, items, 0, search.limit, bounds);
  const shortlist: Shortlist = {
    id: operation.id,
    accountId: operation.accountId,
    pageFingerprint: pageFingerprint(operation.input),
    items,
    coverage: coverageOf(search, items.length, ranking),
    asOf: walk.judgedAt,
    expiresAt: new Date(walk.judgedAt.getTime() + tools.cursorTtlMs),
  };
  const stopReason = stopReasonOf(form, search, items.length, walk.companies.length, ranking.found);
  return { ...toPage(tools, shortlist, search.limit, 0, walk, stopReason), frozen: { plan: ranking.plan, shortlist } };
}

/** A page as it is stored: the first of a search, or a later one. */
export function toPage(
  tools: WorkTools,
  shortlist: Shortlist,
  limit: number,
  from: number,
  walk: Awaited<ReturnType<typeof walkShortlist>>,
  stopReason: string,
): Work {
  const { companies, positions, to } = walk;
  const next = { kind: 'shortlist', shortlistId: shortlist.id, position: BigInt(to) } as const;
  return {
    hydrated: companies.map((company) => ({ survivorId: company.id, company })),
    result: {
      items: companies.map(toReference),
      details: {
        action: 'company_search',
        limit,
        stop_reason: stopReason,
        coverage: shortlist.coverage,
        page: { shortlist_id: Number(shortlist.id), from, to, positions },
      },
      settledCompanyIds: distinctCompanies(companies.map((company) => company.id)),
      requestUnits: 1,
      freshEvidenceUnits: 0,
      asOf: shortlist.asOf,
      judgedAt: walk.judgedAt,
      nextCursor:
        to < shortlist.items.length ? signCursor(tools.cursorKeys, next, shortlist.expiresAt, shortlist) : undefined,
    },
  };
}

interface Ranking {
  readonly plan: FrozenPlan | undefined;
  /** Undefined: there was nothing to search for. */
  readonly found: SearchResponse | undefined;
}

const NOTHING: Ranking = { plan: undefined, found: undefined };

async function rank(
  tools: WorkTools,
  form: CompanySearchForm,
  search: EffectiveSearch,
  bounds: Bounds,
): Promise<Ranking> {
  const filters = await resolveFilters(tools, form, search, bounds);
  const { plan } = await tools.search.plan({ query: form.query, filters }, bounds);
  if (!plan) throw fail(FailureCode.PLANNING_UNAVAILABLE, 'The search could not be planned; use a new request key.');
  const frozen = freezePlan(plan, filters);
  if (plan.empty) return { plan: frozen, found: undefined };
  const { candidateLimit, shortlistCap: maxCompanies } = search;
  return { plan: frozen, found: await tools.search.search({ plan, filters, candidateLimit, maxCompanies }, bounds) };
}

/** The filters in force; companies are named by their survivors at this moment. */
async function resolveFilters(
  tools: WorkTools,
  form: CompanySearchForm,
  search: EffectiveSearch,
  bounds: Bounds,
): Promise<FilterValues> {
  const included = form.filters?.company_ids?.map(BigInt) ?? [];
  const excluded = form.filters?.exclude_company_ids?.map(BigInt) ?? [];
  const survivors = await survivorsOf(tools, [...included, ...excluded], bounds);
  return companyFilters(form, search, {
    included: distinctCompanies(survivors.slice(0, included.length)),
    excluded: distinctCompanies(survivors.slice(included.length)),
  });
}

function freezePlan(plan: Plan, filters: FilterValues): FrozenPlan {
  return {
    planner: plan.planner,
    retrieval: retrievalName(plan.retrieval),
    planJson: toJsonString(PlanSchema, plan),
    filtersJson: toJsonString(SearchFiltersSchema, create(SearchFiltersSchema, filters)),
  };
}

function toItem({ companyId, observationIds }: SearchResponse['companies'][number]): Reference {
  return { company_id: Number(companyId), observation_ids: observationIds.map(Number) };
}

function coverageOf(search: EffectiveSearch, available: number, { plan, found }: Ranking): FrozenCoverage {
  const retrieval = found ? retrievalName(found.retrieval) : (plan?.retrieval ?? 'lexical');
  const limitations = [
    'limited_source_coverage',
    ...(found?.relevanceValidated ? [] : ['relevance_not_validated']),
    ...(retrieval === 'lexical' ? ['lexical_only'] : []),
    'acquisition_disabled',
    ...(found?.candidatesTruncated ? ['candidates_truncated'] : []),
  ];
  return {
    target: search.goal,
    available,
    candidate_limit: search.candidateLimit,
    retrieval,
    occurred_after: search.occurredAfter,
    limitations,
  };
}

/** Why the shortlist ended, in the precedence of decisions.md; without acquisition its reasons cannot occur. */
function stopReasonOf(
  form: CompanySearchForm,
  search: EffectiveSearch,
  available: number,
  delivered: number,
  found: SearchResponse | undefined,
): string {
  if (form.target !== undefined && available >= form.target) return 'target_reached';
  if (form.target === undefined && delivered >= search.limit) return 'page_filled';
  return found?.candidateLimitReached ? 'candidate_limit_reached' : 'sources_exhausted';
}
