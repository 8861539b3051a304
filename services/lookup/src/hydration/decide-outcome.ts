import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';

/** What the record knows of one input of a look-up. */
export interface Resolved {
  /** The company or hostname was ever recorded. */
  readonly known: boolean;
  /** Canonical companies that the input names: the company itself, or those that current evidence ties to the hostname. */
  readonly candidates: number;
  /** Deliverable observations chosen of the one candidate. */
  readonly observations: number;
}

/** The outcome of one input (gateway/docs/contract.md, Record and evidence). */
export function decideOutcome({ known, candidates, observations }: Resolved): LookupStatus {
  if (!known) return LookupStatus.NOT_FOUND;
  if (candidates > 1) return LookupStatus.AMBIGUOUS;
  return observations > 0 ? LookupStatus.FOUND : LookupStatus.UNAVAILABLE;
}
