import type { CompanySearchBody, CompanySearchFilters, Operation as Usage } from './generated/openapi.ts';

export type { CompanySearchFilters };

export type CompanySearchInput = CompanySearchBody;

export type CompanyLookupInput =
  | { readonly ids: readonly number[]; readonly domains?: undefined }
  | { readonly domains: readonly string[]; readonly ids?: undefined };

export interface ObservationLookupInput {
  readonly domains: readonly string[];
  /** Exclusive: the `as_of` of the previous look-up. */
  readonly since: string | Date;
  /** 1 to 100, default 100. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface CallOptions {
  /** Aborts the call; the operation continues in the service. */
  readonly signal?: AbortSignal;
}

export interface OperationOptions extends CallOptions {
  /** The idempotency key; default: a random UUID. */
  readonly requestKey?: string;
  /** True: without a limit; a number: milliseconds. By default the call throws at once. */
  readonly waitForAllowance?: boolean | number;
}

export interface SearchOptions extends OperationOptions {
  /** Returns as soon as the search is accepted; `done()` polls for its result. */
  readonly background?: boolean;
}

export type UsageAction =
  | 'company_search'
  | 'observation_search'
  | 'company_lookup'
  | 'observation_lookup'
  | 'diagnostic';

export interface UsageFilter {
  /** Inclusive: accepted at this instant or later. */
  readonly since?: string | Date;
  /** Exclusive: accepted before this instant. */
  readonly until?: string | Date;
  readonly action?: UsageAction;
  readonly status?: Usage['status'];
  readonly limit?: number;
  readonly cursor?: string;
}

/** The default is the current period. */
export interface StatementInterval {
  /** Inclusive: settled at this instant or later. */
  readonly since?: string | Date;
  /** Exclusive: settled before this instant. */
  readonly until?: string | Date;
  readonly limit?: number;
  readonly cursor?: string;
}
