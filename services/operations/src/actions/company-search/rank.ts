import { create, toJsonString } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { type Plan, PlanSchema, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { SearchResponse } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { FrozenPlan } from '../../db/plan.ts';
import type { CompanySearchForm } from '../../input/form.ts';
import { retrievalName } from '../../model/enum-names.ts';
import type { Operation } from '../../model/operation.ts';
import { type ActionDependencies, type Bounds, distinctCompanies } from '../action.ts';
import { companyFilters, type EffectiveSearch, type FilterValues } from '../effective-search.ts';
import { type Acquired, acquireFresh } from './acquire.ts';
import { resolveCanonicalIds } from './walk-shortlist.ts';

export interface Ranking {
  readonly plan: FrozenPlan | undefined;
  readonly notRecorded: readonly string[];
  /** Undefined: the shortlist was not short, or sources may not be asked. */
  readonly acquired?: Acquired | undefined;
  /** Undefined: there was nothing to search for. */
  readonly found: SearchResponse | undefined;
}

export const EMPTY_RANKING: Ranking = { plan: undefined, notRecorded: [], found: undefined };

/** Longest second search of a caller who waits, including the wait for the index. */
const SEARCH_AGAIN_MS = 8_000;

/** When the ranking is short of the goal, asks the sources and ranks again with their evidence. */
export async function rankFresh(
  deps: ActionDependencies,
  operation: Operation,
  fence: bigint,
  form: CompanySearchForm,
  search: EffectiveSearch,
  bounds: Bounds,
): Promise<Ranking> {
  const { frozen, ...first } = await rank(deps, form, search, bounds);
  const ranking = { plan: frozen, notRecorded: first.plan.notRecorded, found: first.found };
  const short = (first.found?.companies.length ?? 0) < search.goal;
  if (!deps.acquisition || operation.testMode || !first.found || !short) return ranking;
  const { id: operationId, background } = operation;
  const attempt = { operationId, fence, background };
  await bounds.enterSources?.(background);
  const acquired = await acquireFresh(deps.acquisition, attempt, first.plan, first.filters, bounds);
  if (acquired.tx === 0n) return { ...ranking, acquired };
  const timeoutMs = background ? bounds.timeoutMs : Math.min(bounds.timeoutMs, SEARCH_AGAIN_MS);
  const again = { ...bounds, timeoutMs };
  const { plan, filters } = first;
  const request = { plan, filters, ...limitsOf(search), waitForTx: acquired.tx };
  return { ...ranking, found: await deps.search.search(request, again), acquired };
}

interface FirstRanking {
  readonly frozen: FrozenPlan;
  readonly plan: Plan;
  readonly filters: FilterValues;
  readonly found: SearchResponse | undefined;
}

async function rank(
  deps: ActionDependencies,
  form: CompanySearchForm,
  search: EffectiveSearch,
  bounds: Bounds,
): Promise<FirstRanking> {
  const filters = await resolveFilters(deps, form, search, bounds);
  const asked = { query: form.query, filters, ...limitsOf(search) };
  const { plan, ranking } = await deps.search.planAndSearch(asked, bounds);
  if (!plan) throw fail(FailureCode.PLANNING_UNAVAILABLE, 'The search could not be planned; use a new request key.');
  return { frozen: freezePlan(plan, filters), plan, filters, found: ranking };
}

function limitsOf({ candidateLimit, shortlistCap: maxCompanies }: EffectiveSearch) {
  return { candidateLimit, maxCompanies };
}

/** Company ids become the canonical ids of this moment. */
async function resolveFilters(
  deps: ActionDependencies,
  form: CompanySearchForm,
  search: EffectiveSearch,
  bounds: Bounds,
): Promise<FilterValues> {
  const included = form.filters?.company_ids?.map(BigInt) ?? [];
  const excluded = form.filters?.exclude_company_ids?.map(BigInt) ?? [];
  const canonicalIds = await resolveCanonicalIds(deps, [...included, ...excluded], bounds);
  return companyFilters(form, search, {
    included: distinctCompanies(canonicalIds.slice(0, included.length)),
    excluded: distinctCompanies(canonicalIds.slice(included.length)),
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
