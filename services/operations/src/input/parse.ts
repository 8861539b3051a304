import type {
  CompanyLookupInput,
  CompanySearchInput,
  ObservationLookupInput,
  ObservationSearchInput,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { checkCount, parseCount, parseHostnames, parseQuery } from './fields.ts';
import { parseCompanyFilters, parseObservationFilters } from './filters.ts';
import type { CompanyLookupForm, CompanySearchForm, ObservationLookupForm, ObservationSearchForm } from './form.ts';
import { parseInstant } from './instant.ts';
import { refuse } from './refuse.ts';

const MAX_LOOKUP_INPUTS = 20;
const MAX_LOOKUP_DOMAINS = 100;
const MAX_LOOKUP_OBSERVATIONS = 100;

export function parseCompanySearch(input: CompanySearchInput): CompanySearchForm {
  const limit = parseCount(input.limit, 'limit');
  const target = parseCount(input.target, 'target', 1000);
  if (limit !== undefined && target !== undefined && limit > target)
    refuse('`limit` must be at most `target`: lower the one or raise the other.');
  return present({
    query: parseQuery(input.query, 4000),
    filters: parseCompanyFilters(input.filters),
    limit,
    target,
    cursor: input.cursor,
  });
}

export function parseObservationSearch(input: ObservationSearchInput): ObservationSearchForm {
  return present({
    query: parseQuery(input.query, 500),
    filters: parseObservationFilters(input.filters),
    limit: parseCount(input.limit, 'limit'),
    cursor: input.cursor,
  });
}

/** `accepted` keeps the order sent; `form` does not depend on it. */
export function parseCompanyLookup(input: CompanyLookupInput): {
  readonly accepted: CompanyLookupForm;
  readonly form: CompanyLookupForm;
} {
  if (input.ids.length > 0 && input.domains.length > 0)
    refuse('`ids` and `domains` exclude each other: send one of them.');
  if (input.ids.length + input.domains.length === 0)
    refuse(`\`ids\` or \`domains\` is required: send 1 to ${MAX_LOOKUP_INPUTS}.`);
  if (input.domains.length > 0) {
    const domains = parseHostnames(input.domains, 'domains', MAX_LOOKUP_INPUTS);
    return { accepted: { domains }, form: { domains: domains.toSorted() } };
  }
  checkCount(input.ids, 'ids', MAX_LOOKUP_INPUTS);
  const below = input.ids.findIndex((id) => id < 1n);
  if (below >= 0) refuse(`\`ids[${below}]\` must be at least 1.`);
  const ids = [...new Set(input.ids)];
  return { accepted: { ids: ids.map(String) }, form: { ids: ids.toSorted(ascending).map(String) } };
}

export function parseObservationLookup(input: ObservationLookupInput): {
  readonly domains: readonly string[];
  readonly form: ObservationLookupForm;
} {
  if (input.domains.length === 0) refuse(`\`domains\` is required: send 1 to ${MAX_LOOKUP_DOMAINS} hostnames.`);
  const domains = parseHostnames(input.domains, 'domains', MAX_LOOKUP_DOMAINS);
  const form = present({
    domains: domains.toSorted(),
    since: parseInstant(input.since, 'since'),
    limit: parseCount(input.limit, 'limit', MAX_LOOKUP_OBSERVATIONS),
    cursor: input.cursor,
  });
  return { domains, form };
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function present<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Present<T>;
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : 1;
}
