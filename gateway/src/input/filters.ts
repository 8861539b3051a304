import type { MessageInitShape } from '@bufbuild/protobuf';
import type { FiltersInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { CompanySearchFilters } from '../schema/filters.ts';

/** What both searches take; an observation search takes more kinds and no lists of companies. */
type Filters = Omit<CompanySearchFilters, 'kinds'> & { readonly kinds?: string[] };

/** Filters as sent. */
export function filtersInput(filters: Filters = {}): MessageInitShape<typeof FiltersInputSchema> {
  const { countries, kinds, demand_classes, occurred_after, observed_after, ...lists } = filters;
  return {
    countries: countries ?? [],
    kinds: kinds ?? [],
    demandClasses: demand_classes ?? [],
    ...(occurred_after !== undefined && { occurredAfter: occurred_after }),
    ...(observed_after !== undefined && { observedAfter: observed_after }),
    companyIds: (lists.company_ids ?? []).map(BigInt),
    domains: lists.domains ?? [],
    excludeCompanyIds: (lists.exclude_company_ids ?? []).map(BigInt),
    excludeDomains: lists.exclude_domains ?? [],
  };
}
