import { create, toJsonString } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { type Plan, PlanSchema, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { SearchResponse } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { FrozenPlan } from '../../db/plan.ts';
import type { CompanySearchForm } from '../../input/form.ts';
import type { Operation } from '../../operation/operation.ts';
import { retrievalName } from '../../operation/words.ts';
import { type Bounds, distinctCompanies, type WorkTools } from '../action.ts';
import { companyFilters, type EffectiveSearch, type FilterValues } from '../effective-search.ts';
import { type Acquired, acquireFresh } from './acquire.ts';
import { survivorsOf } from './walk-shortlist.ts';

/** What a search found, by which plan, and what the sources were asked for it. */
export interface Ranking {
  readonly plan: FrozenPlan | undefined;
  /** Undefined: nothing was short, or sources may not be asked. */
  readonly acquired?: Acquired | undefined;
  /** Undefined: there was nothing to search for. */
  readonly found: SearchResponse | undefined;
}

/** Nothing can match. */
export const NOTHING: Ranking = { plan: undefined, found: undefined };

/** Longest search after an acquisition whose caller waits, the wait for the index included, in milliseconds. */
const AGAIN_WAITED_MS = 8_000;

/** Ranks, and where that is short of the goal asks the sources and ranks again once the index has what they brought. */
export async function rankFresh(
  tools: WorkTools,
  operation: Operation,
  fence: bigint,
  form: CompanySearchForm,
  search: EffectiveSearch,
  bounds: Bounds,
): Promise<Ranking> {
  const { frozen, ...first } = await rank(tools, form, search, bounds);
  const ranking = { plan: frozen, found: first.found };
  const short = (first.found?.companies.length ?? 0) < search.goal;
  if (!tools.acquiring || operation.testMode || !first.found || !short) return ranking;
  const { id: operationId, background } = operation;
  const asking = { operationId, fence, background };
  const acquired = await acquireFresh(tools.acquiring, asking, first.plan, first.filters, bounds);
  if (acquired.tx === 0n) return { ...ranking, acquired };
  const timeoutMs = background ? bounds.timeoutMs : Math.min(bounds.timeoutMs, AGAIN_WAITED_MS);
  const again = { ...bounds, timeoutMs };
  const request = { ...toSearchRequest(search, first.plan, first.filters), waitForTx: acquired.tx };
  return { plan: frozen, found: await tools.search.search(request, again), acquired };
}

interface FirstRanking {
  readonly frozen: FrozenPlan;
  readonly plan: Plan;
  readonly filters: FilterValues;
  readonly found: SearchResponse | undefined;
}

async function rank(
  tools: WorkTools,
  form: CompanySearchForm,
  search: EffectiveSearch,
  bounds: Bounds,
): Promise<FirstRanking> {
  const filters = await resolveFilters(tools, form, search, bounds);
  const { plan } = await tools.search.plan({ query: form.query, filters }, bounds);
  if (!plan) throw fail(FailureCode.PLANNING_UNAVAILABLE, 'The search could not be planned; use a new request key.');
  const frozen = freezePlan(plan, filters);
  const first = { frozen, plan, filters };
  if (plan.empty) return { ...first, found: undefined };
  return { ...first, found: await tools.search.search(toSearchRequest(search, plan, filters), bounds) };
}

function toSearchRequest(
  { candidateLimit, shortlistCap: maxCompanies }: EffectiveSearch,
  plan: Plan,
  filters: FilterValues,
) {
  return { plan, filters, candidateLimit, maxCompanies };
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
