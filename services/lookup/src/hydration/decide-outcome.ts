import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';

export interface Resolved {
  readonly known: boolean;
  /**
   * Canonical companies: the company itself, or those that current evidence ties to the hostname.
   */
  readonly candidates: number;
  readonly observations: number;
}

/** gateway/docs/contract.md, Record and evidence, defines the outcomes. */
export function decideOutcome({ known, candidates, observations }: Resolved): LookupStatus {
  if (!known) return LookupStatus.NOT_FOUND;
  if (candidates > 1) return LookupStatus.AMBIGUOUS;
  return observations > 0 ? LookupStatus.FOUND : LookupStatus.UNAVAILABLE;
}
