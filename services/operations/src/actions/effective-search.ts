import type { MessageInitShape } from '@bufbuild/protobuf';
import { COUNTRY_NAMES, countryOf, demandClassOf, type KindName, kindOf } from '@ces/proto/catalog';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { ALL_KINDS } from '../input/filters.ts';
import type { CompanySearchForm, FiltersForm, ObservationSearchForm } from '../input/form.ts';
import { type Instant, instantToTimestamp } from '../input/instant.ts';
import { refuse } from '../input/refuse.ts';

export type FilterValues = MessageInitShape<typeof SearchFiltersSchema>;

export interface EffectiveSearch {
  readonly limit: number;
  /** The acquisition goal: the target, or one page. */
  readonly goal: number;
  readonly shortlistCap: number;
  readonly candidateLimit: number;
  /** Empty: the filters exclude every kind, and the result is empty. */
  readonly kinds: readonly KindName[];
  /** The cutoff in force; null when only profiles are searched and the caller gave none. */
  readonly occurredAfter: Instant | null;
}

const DEFAULT_LIMIT = 10;
const DEFAULT_SHORTLIST_CAP = 100;
const MIN_CANDIDATE_LIMIT = 100;
const WINDOW_DAYS = 30;
const DAY_MS = 86_400_000;
const PROFILE: KindName = 'company_profile';

/** The value of an absent `limit` (gateway/docs/contract.md, Names and parameters). */
export function effectiveLimit(form: { readonly limit?: number; readonly target?: number }): number {
  return form.limit ?? Math.min(DEFAULT_LIMIT, form.target ?? DEFAULT_LIMIT);
}

/** The plan's largest page binds new work only, not a retry. */
export function admissibleLimit(
  form: { readonly limit?: number; readonly target?: number },
  { pageLimit, plan }: Pick<Principal, 'pageLimit' | 'plan'>,
): number {
  const limit = effectiveLimit(form);
  if (limit > pageLimit) refuse(`\`limit\` must be at most ${pageLimit} on the ${plan} plan.`);
  return limit;
}

export function effectiveSearch(form: CompanySearchForm, acceptedAt: Date): EffectiveSearch {
  const limit = effectiveLimit(form);
  const kinds = searchedKinds(form.filters);
  const onlyProfiles = kinds.every((kind) => kind === PROFILE);
  return {
    limit,
    goal: form.target ?? limit,
    shortlistCap: form.target ?? DEFAULT_SHORTLIST_CAP,
    candidateLimit: Math.max(MIN_CANDIDATE_LIMIT, 2 * (form.target ?? 0)),
    kinds,
    occurredAfter: form.filters?.occurred_after ?? (kinds.length > 0 && onlyProfiles ? null : windowStart(acceptedAt)),
  };
}

/** Profiles need a request: by kind, or by their demand class while no kind is named. */
export function searchedKinds(filters: FiltersForm | undefined): KindName[] {
  const classes = filters?.demand_classes;
  const named = filters?.kinds;
  const byName = ALL_KINDS.filter((kind) =>
    named ? named.includes(kind) : kind !== PROFILE || classes?.includes('structural'),
  );
  return byName.filter((kind) => !classes || classes.includes(demandClassOf(kind)));
}

function windowStart(now: Date): Instant {
  const day = Math.floor(now.getTime() / DAY_MS) - WINDOW_DAYS;
  return `${new Date(day * DAY_MS).toISOString().slice(0, 19)}Z`;
}

/** An explicit cutoff also applies to profiles; the implicit one does not. */
export function companyFilters(
  form: CompanySearchForm,
  search: EffectiveSearch,
  companies: { readonly included: readonly bigint[]; readonly excluded: readonly bigint[] },
): FilterValues {
  const { filters } = form;
  return {
    ...sharedFilters(filters, search.kinds),
    ...cutoff('occurredAfter', search.occurredAfter),
    ...cutoff('profileOccurredAfter', filters?.occurred_after),
    companyIds: [...companies.included],
    excludeCompanyIds: [...companies.excluded],
    domains: [...(filters?.domains ?? [])],
    excludeDomains: [...(filters?.exclude_domains ?? [])],
  };
}

/** Every kind, and only an explicit cutoff. Undefined: nothing can match. */
export function observationFilters({ filters }: ObservationSearchForm): FilterValues | undefined {
  const kinds = ALL_KINDS.filter(
    (kind) =>
      (filters?.kinds?.includes(kind) ?? true) && (filters?.demand_classes?.includes(demandClassOf(kind)) ?? true),
  );
  if (kinds.length === 0) return undefined;
  return {
    ...sharedFilters(filters, kinds),
    ...cutoff('occurredAfter', filters?.occurred_after),
    ...cutoff('profileOccurredAfter', filters?.occurred_after),
  };
}

function sharedFilters(filters: FiltersForm | undefined, kinds: readonly KindName[]): FilterValues {
  return {
    kinds: kinds.map(kindOf),
    countries: COUNTRY_NAMES.filter((country) => filters?.countries?.includes(country)).map(countryOf),
    ...cutoff('observedAfter', filters?.observed_after),
  };
}

function cutoff(name: 'occurredAfter' | 'profileOccurredAfter' | 'observedAfter', instant: Instant | null | undefined) {
  return instant ? { [name]: instantToTimestamp(instant) } : {};
}
