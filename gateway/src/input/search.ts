import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CompanySearchInputSchema,
  FiltersInputSchema,
  ObservationSearchInputSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { CompanySearchBody } from '../schema/company-search.ts';
import type { CompanySearchFilters } from '../schema/filters.ts';
import { ObservationSearchBody } from '../schema/observation-search.ts';
import { compileShapeCheck } from './shape.ts';

const checkCompanySearch = compileShapeCheck(CompanySearchBody);

/** REST bodies and MCP arguments have the same shape. Throws InvalidInput. */
export function readCompanySearch(body: unknown): {
  readonly input: MessageInitShape<typeof CompanySearchInputSchema>;
  readonly background: boolean;
} {
  const { background = false, filters, ...input } = checkCompanySearch(body);
  return { input: { ...input, filters: filtersInput(filters) }, background };
}

const checkObservationSearch = compileShapeCheck(ObservationSearchBody);

export function readObservationSearch(body: unknown): MessageInitShape<typeof ObservationSearchInputSchema> {
  const { filters, ...input } = checkObservationSearch(body);
  return { ...input, filters: filtersInput(filters) };
}

type Filters = Omit<CompanySearchFilters, 'kinds'> & { readonly kinds?: string[] };

function filtersInput(filters: Filters = {}): MessageInitShape<typeof FiltersInputSchema> {
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
