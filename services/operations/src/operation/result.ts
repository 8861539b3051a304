import type { Company } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Instant } from '../input/instant.ts';

/** How results are rendered; stored, so that a later version can still read what an earlier one stored. */
export const RENDER_VERSION = 1;

/** A company with the observations chosen for it, in the order to show. JSON of the database: ids are safe integers. */
export interface Reference {
  readonly company_id: number;
  readonly observation_ids: readonly number[];
  /** Of a shortlist: those that its operation's acquisition recorded first. */
  readonly fresh_observation_ids?: readonly number[];
}

/** What may be delivered of one reference. */
export interface Hydrated {
  /** The canonical company; 0 when it is unknown. */
  readonly survivorId: bigint;
  readonly company?: Company | undefined;
}

/** What was delivered, as references (gateway/docs/contract.md, What an operation freezes). */
export interface StoredResult {
  /** A search or look-up of companies: one a company; of observations: one an observation. */
  readonly items: readonly Reference[];
  readonly details: ResultDetails;
  /** Distinct companies that were settled. */
  readonly settledCompanyIds: readonly bigint[];
  readonly requestUnits: number;
  readonly freshEvidenceUnits: number;
  readonly asOf: Date;
  /** The instant at which expiry was judged, and is on every replay. */
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

/** What every page of one shortlist says of it. */
export interface FrozenCoverage {
  readonly target: number;
  readonly available: number;
  readonly candidate_limit: number;
  readonly retrieval: RetrievalName;
  readonly occurred_after: Instant | null;
  readonly limitations: readonly string[];
}

export type RetrievalName = 'lexical' | 'hybrid';

/** The positions of a shortlist that a page walked, `from` inclusive, `to` exclusive, and those it delivered. */
interface PageOfShortlist {
  /** The operation that froze the shortlist. */
  readonly shortlist_id: number;
  readonly from: number;
  readonly to: number;
  /** One an item, ascending. */
  readonly positions: readonly number[];
  /** Positions before `from` that no page delivered, ascending. */
  readonly passed_over: readonly number[];
}

interface ObservationSearchDetails {
  readonly action: 'observation_search';
}

export interface CompanyLookupDetails {
  readonly action: 'company_lookup';
  /** In the order accepted. */
  readonly outcomes: readonly FrozenOutcome[];
}

export interface FrozenOutcome {
  readonly input: { readonly id: string } | { readonly domain: string };
  readonly status: 'found' | 'not_found' | 'ambiguous' | 'unavailable';
  /** Which item; present when found. */
  readonly item?: number;
}

export interface ObservationLookupDetails {
  readonly action: 'observation_lookup';
  /** In the order accepted. */
  readonly domains: readonly { readonly hostname: string; readonly found: boolean }[];
}

interface DiagnosticDetails {
  readonly action: 'diagnostic';
}
