import type { CompanySearchBody, CompanySearchFilters, Operation as Usage } from './generated/openapi.ts';

export type { CompanySearchFilters };

/** A company search, as POST /api/companies/search takes it. */
export type CompanySearchInput = CompanySearchBody;

/** 1 to 20 ids, or 1 to 20 hostnames. */
export type CompanyLookupInput =
  | { readonly ids: readonly number[]; readonly domains?: undefined }
  | { readonly domains: readonly string[]; readonly ids?: undefined };

export interface ObservationLookupInput {
  /** 1 to 100 hostnames. */
  readonly domains: readonly string[];
  /** Exclusive: the `as_of` of the look-up before. */
  readonly since: string | Date;
  /** 1 to 100; 100 when absent. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** What holds for one call. */
export interface CallOptions {
  /** Ends the call; what it began goes on in the service. */
  readonly signal?: AbortSignal;
}

/** What holds for one operation. */
export interface OperationOptions extends CallOptions {
  /** The idempotency key; a new one is made when it is absent. */
  readonly requestKey?: string;
  /** When the allowance is used up: true waits until there is some, a number so many milliseconds at most; absent: throws at once. */
  readonly waitForAllowance?: boolean | number;
}

export interface SearchOptions extends OperationOptions {
  /** Answers at once that the search is accepted; `done()` polls it to the end. */
  readonly background?: boolean;
}

/** What an operation does. */
export type UsageAction =
  | 'company_search'
  | 'observation_search'
  | 'company_lookup'
  | 'observation_lookup'
  | 'diagnostic';

/** Of GET /api/usages. */
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

/** Of GET /api/usage/statement; the present period when it is empty. */
export interface StatementInterval {
  /** Inclusive: settled at this instant or later. */
  readonly since?: string | Date;
  /** Exclusive: settled before this instant. */
  readonly until?: string | Date;
  readonly limit?: number;
  readonly cursor?: string;
}
