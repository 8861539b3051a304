import type { Instant } from './instant.ts';

// One spelling for inputs that mean the same; defaults that depend on time, plan or configuration
// stay absent (gateway/docs/contract.md, Idempotency).

export interface FiltersForm {
  readonly countries?: readonly string[];
  readonly kinds?: readonly string[];
  readonly demand_classes?: readonly string[];
  readonly occurred_after?: Instant;
  readonly observed_after?: Instant;
  readonly company_ids?: readonly number[];
  readonly domains?: readonly string[];
  readonly exclude_company_ids?: readonly number[];
  readonly exclude_domains?: readonly string[];
}

export interface CompanySearchForm {
  readonly query: string;
  readonly filters?: FiltersForm;
  readonly limit?: number;
  readonly target?: number;
  readonly cursor?: string;
}

export interface ObservationSearchForm {
  readonly query: string;
  readonly filters?: FiltersForm;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Ids are decimal digits: a path may name an id that a JSON number cannot hold. */
export type CompanyLookupForm = { readonly ids: readonly string[] } | { readonly domains: readonly string[] };

export interface ObservationLookupForm {
  readonly domains: readonly string[];
  readonly since: Instant;
  readonly limit?: number;
  readonly cursor?: string;
}

type DiagnosticForm = Record<string, never>;

export type Input =
  | { readonly action: 'company_search'; readonly form: CompanySearchForm }
  | { readonly action: 'observation_search'; readonly form: ObservationSearchForm }
  | { readonly action: 'company_lookup'; readonly form: CompanyLookupForm }
  | { readonly action: 'observation_lookup'; readonly form: ObservationLookupForm }
  | { readonly action: 'diagnostic'; readonly form: DiagnosticForm };

export type ActionName = Input['action'];
