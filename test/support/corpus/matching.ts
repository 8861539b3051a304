import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { companyFilters, effectiveSearch } from '@ces/operations/actions/effective-search';
import { parseCompanySearch } from '@ces/operations/input/parse';
import { CompanySearchInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Plan, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { type TestStack, tokenOf } from '../stack.ts';

export interface Filters {
  readonly countries?: readonly string[];
  readonly kinds?: readonly string[];
  readonly demand_classes?: readonly string[];
  readonly occurred_after?: string;
  readonly observed_after?: string;
  readonly company_ids?: readonly number[];
  readonly domains?: readonly string[];
  readonly exclude_company_ids?: readonly number[];
  readonly exclude_domains?: readonly string[];
}

export interface Matching {
  readonly companies: ReadonlyMap<number, readonly number[]>;
  /**
   * False if the search reached a cap on candidates or observations, so that matches may be
   * missing.
   */
  readonly complete: boolean;
}

export interface Matcher {
  plan(query: string, filters: Filters): Promise<Plan | undefined>;
  match(plan: Plan | undefined, filters: Filters): Promise<Matching>;
}

const CANDIDATES = 2000;
const COMPANIES = 1000;
const NOTHING: Matching = { companies: new Map(), complete: true };

export function createMatcher(stack: TestStack): Matcher {
  const { CES_SEARCH_URL: url = '' } = stack.environmentOf('operations');
  const search = createRpcClient(SearchService, { url, callerToken: tokenOf('operations'), timeoutMs: 60_000 });
  return {
    plan: async (query, filters) => (await search.plan({ query, filters: filtersInForce(filters) })).plan,
    async match(plan, filters) {
      const inForce = filtersInForce(filters);
      if (!plan || plan.empty || inForce.kinds?.length === 0) return NOTHING;
      const found = await search.search({
        plan,
        filters: inForce,
        candidateLimit: CANDIDATES,
        maxCompanies: COMPANIES,
      });
      return {
        companies: new Map(found.companies.map((row) => [Number(row.companyId), row.observationIds.map(Number)])),
        complete: !found.candidateLimitReached && !found.candidatesTruncated && found.companies.length < COMPANIES,
      };
    },
  };
}

/** Converts public filters as operations does: normal form, kinds, cutoffs. */
function filtersInForce(filters: Filters): MessageInitShape<typeof SearchFiltersSchema> {
  const input = create(CompanySearchInputSchema, {
    query: 'any',
    filters: {
      countries: [...(filters.countries ?? [])],
      kinds: [...(filters.kinds ?? [])],
      demandClasses: [...(filters.demand_classes ?? [])],
      companyIds: (filters.company_ids ?? []).map(BigInt),
      domains: [...(filters.domains ?? [])],
      excludeCompanyIds: (filters.exclude_company_ids ?? []).map(BigInt),
      excludeDomains: [...(filters.exclude_domains ?? [])],
      ...(filters.occurred_after !== undefined && { occurredAfter: filters.occurred_after }),
      ...(filters.observed_after !== undefined && { observedAfter: filters.observed_after }),
    },
  });
  const form = parseCompanySearch(input);
  return companyFilters(form, effectiveSearch(form, new Date()), {
    included: (form.filters?.company_ids ?? []).map(BigInt),
    excluded: (form.filters?.exclude_company_ids ?? []).map(BigInt),
  });
}
