import {
  COUNTRY_NAMES,
  DEMAND_CLASS_NAMES,
  KIND_NAMES,
  type KindName,
  SEARCHABLE_KIND_NAMES,
} from '@ces/proto/catalog';
import type { FiltersInput } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { parseChoices, parseFilterIds, parseHostnames } from './fields.ts';
import type { FiltersForm } from './form.ts';
import { parseInstant } from './instant.ts';
import { refuse } from './refuse.ts';

const SEARCHABLE_KINDS: readonly KindName[] = SEARCHABLE_KIND_NAMES.toSorted();
export const ALL_KINDS: readonly KindName[] = [
  ...SEARCHABLE_KINDS,
  ...KIND_NAMES.filter((kind) => !SEARCHABLE_KINDS.includes(kind)).toSorted(),
];

export function parseCompanyFilters(input: FiltersInput | undefined): FiltersForm | undefined {
  if (!input) return undefined;
  return present({
    ...sharedFilters(input, SEARCHABLE_KINDS),
    company_ids: parseFilterIds(input.companyIds, 'filters.company_ids'),
    domains: parseHostnames(input.domains, 'filters.domains').sort(),
    exclude_company_ids: parseFilterIds(input.excludeCompanyIds, 'filters.exclude_company_ids'),
    exclude_domains: parseHostnames(input.excludeDomains, 'filters.exclude_domains').sort(),
  });
}

export function parseObservationFilters(input: FiltersInput | undefined): FiltersForm | undefined {
  if (!input) return undefined;
  const lists = {
    company_ids: input.companyIds,
    domains: input.domains,
    exclude_company_ids: input.excludeCompanyIds,
    exclude_domains: input.excludeDomains,
  };
  for (const [name, list] of Object.entries(lists))
    if (list.length > 0)
      refuse(`\`filters.${name}\` is not for an observation search: leave it out, or search companies.`);
  return present(sharedFilters(input, ALL_KINDS));
}

function sharedFilters(input: FiltersInput, kinds: readonly string[]): Maybe<FiltersForm> {
  const { occurredAfter, observedAfter } = input;
  return {
    countries: parseChoices(input.countries, 'filters.countries', COUNTRY_NAMES),
    kinds: parseChoices(input.kinds, 'filters.kinds', kinds),
    demand_classes: parseChoices(input.demandClasses, 'filters.demand_classes', DEMAND_CLASS_NAMES),
    occurred_after: occurredAfter === undefined ? undefined : parseInstant(occurredAfter, 'filters.occurred_after'),
    observed_after: observedAfter === undefined ? undefined : parseInstant(observedAfter, 'filters.observed_after'),
  };
}

type Maybe<T> = { readonly [K in keyof T]: T[K] | undefined };

/** Such as empty lists; undefined if none is left. */
function present(filters: Maybe<FiltersForm>): FiltersForm | undefined {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined && value.length > 0);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
