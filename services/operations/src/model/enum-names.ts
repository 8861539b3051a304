import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { FrozenOutcome, RetrievalName } from './result.ts';

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
