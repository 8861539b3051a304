import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Instant } from '../input/instant.ts';

/** So that a later release can read older results. */
export const RENDER_VERSION = 1;

/** In display order. Stored as JSON: ids are safe integers. */
export interface Reference {
  readonly company_id: number;
  readonly observation_ids: readonly number[];
  /** In a shortlist: recorded first by its operation's acquisition. */
  readonly fresh_observation_ids?: readonly number[];
}

export interface Hydrated {
  readonly survivorId: bigint;
  readonly company?: Company | undefined;
}

/** The result as references (gateway/docs/contract.md, What an operation freezes). */
export interface StoredResult {
  /** One for each company, or for each observation when observations were requested. */
  readonly items: readonly Reference[];
  readonly details: ResultDetails;
  readonly settledCompanyIds: readonly bigint[];
  readonly requestUnits: number;
  readonly freshEvidenceUnits: number;
  readonly asOf: Date;
  readonly judgedAt: Date;
  readonly nextCursor: string | undefined;
}

export type ResultDetails =
  | CompanySearchDetails
  | ObservationSearchDetails
  | CompanyLookupDetails
  | ObservationLookupDetails
  | DiagnosticDetails;

export interface CompanySearchDetails {
  readonly action: 'company_search';
  readonly limit: number;
  readonly stop_reason: string;
  readonly coverage: FrozenCoverage;
  readonly page: PageOfShortlist;
}

export interface FrozenCoverage {
  readonly target: number;
  readonly available: number;
  readonly candidate_limit: number;
  readonly retrieval: RetrievalName;
  readonly occurred_after: Instant | null;
  readonly limitations: readonly string[];
}

export type RetrievalName = 'lexical' | 'hybrid';

/** From `from` (inclusive) to `to` (exclusive), and those it delivered. */
interface PageOfShortlist {
  readonly shortlist_id: number;
  readonly from: number;
  readonly to: number;
  readonly positions: readonly number[];
  readonly passed_over: readonly number[];
}

interface ObservationSearchDetails {
  readonly action: 'observation_search';
}

export interface CompanyLookupDetails {
  readonly action: 'company_lookup';
  readonly outcomes: readonly FrozenOutcome[];
}

export interface FrozenOutcome {
  readonly input: { readonly id: string } | { readonly domain: string };
  readonly status: 'found' | 'not_found' | 'ambiguous' | 'unavailable';
  readonly item?: number;
}

export interface ObservationLookupDetails {
  readonly action: 'observation_lookup';
  readonly domains: readonly { readonly hostname: string; readonly found: boolean }[];
}

interface DiagnosticDetails {
  readonly action: 'diagnostic';
}
