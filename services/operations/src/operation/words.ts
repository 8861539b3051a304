import { Country, DemandClass, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ALL_KINDS } from '../input/filters.ts';
import type { FrozenOutcome, RetrievalName } from './result.ts';

// The words of the interface and what stands for them between services.

export const KINDS: Readonly<Record<(typeof ALL_KINDS)[number], Kind>> = {
  procurement_request: Kind.PROCUREMENT_REQUEST,
  facility_expansion: Kind.FACILITY_EXPANSION,
  funding_round: Kind.FUNDING_ROUND,
  leadership_change: Kind.LEADERSHIP_CHANGE,
  product_launch: Kind.PRODUCT_LAUNCH,
  partnership: Kind.PARTNERSHIP,
  technology_use: Kind.TECHNOLOGY_USE,
  job_posting: Kind.JOB_POSTING,
  company_profile: Kind.COMPANY_PROFILE,
};

export const COUNTRIES: Readonly<Record<string, Country>> = { CA: Country.CA, US: Country.US };

/** The demand class of a kind (decisions.md, Evidence). */
export function demandClassOf(kind: string): string {
  if (kind === 'procurement_request') return 'explicit_request';
  return kind === 'company_profile' ? 'structural' : 'proxy';
}

/** From the most to the least direct demand. */
export const DEMAND_CLASSES_BY_STRENGTH: readonly DemandClass[] = [
  DemandClass.EXPLICIT_REQUEST,
  DemandClass.PROXY,
  DemandClass.STRUCTURAL,
];

export function retrievalName(retrieval: Retrieval): RetrievalName {
  return retrieval === Retrieval.HYBRID ? 'hybrid' : 'lexical';
}

export const RETRIEVALS: Readonly<Record<RetrievalName, Retrieval>> = {
  lexical: Retrieval.LEXICAL,
  hybrid: Retrieval.HYBRID,
};

export const LOOKUP_STATUSES: Readonly<Record<FrozenOutcome['status'], LookupStatus>> = {
  found: LookupStatus.FOUND,
  not_found: LookupStatus.NOT_FOUND,
  ambiguous: LookupStatus.AMBIGUOUS,
  unavailable: LookupStatus.UNAVAILABLE,
};

export function lookupStatusName(status: LookupStatus): FrozenOutcome['status'] {
  const found = Object.entries(LOOKUP_STATUSES).find(([, value]) => value === status);
  if (!found) throw new Error(`a look-up ended with the unknown status ${status}`);
  return found[0] as FrozenOutcome['status'];
}
