import type { Input } from '../input/form.ts';
import type { StoredResult } from './result.ts';
import type { StoredFailure } from './stored-failure.ts';

/**
 * The states of an operation; `state-machine.ts` takes it from one to the next. `withdrawing`: its submission was rejected,
 * and the ledger is yet to confirm that nothing is held.
 */
export type OperationState =
  | 'created'
  | 'withdrawing'
  | 'held'
  | 'running'
  | 'stored'
  | 'delivered'
  | 'failing'
  | 'failed';

/** How it is paid: a hold that is settled, one charge after the read, or nothing. */
export type Payment = 'hold' | 'charge' | 'none';

/** What is decided when an operation is accepted. */
export interface NewOperation {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  readonly credentialId: bigint;
  readonly testMode: boolean;
  readonly requestKey: string;
  readonly fingerprint: Buffer;
  readonly input: Input;
  readonly payment: Payment;
  /** Delivered units that are asked for before the result is known. */
  readonly worstCaseUnits: number;
  /** Accepted as background: no caller waits, and sources may take longer. */
  readonly background: boolean;
}

export interface Operation extends NewOperation {
  readonly id: bigint;
  /** The UUID that is never given twice, as a number may be after a restore; absent for what is older than identities. */
  readonly identity: string | undefined;
  readonly state: OperationState;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
  /** Settled units; zeros unless delivered. */
  readonly units: OperationUnits;
  /** Present while failing and when failed. */
  readonly failure: StoredFailure | undefined;
  /** Present once stored. */
  readonly result: StoredResult | undefined;
}

export interface OperationUnits {
  readonly request: number;
  readonly delivered: number;
  readonly fresh: number;
}

/** Whether the ledger has yet to decide: no caller was shown it, unless it was charged a moment ago and is not marked yet. */
export function isUndecided({ state, payment }: Pick<Operation, 'state' | 'payment'>): boolean {
  return state === 'created' || state === 'withdrawing' || (state === 'stored' && payment === 'charge');
}

/** The units that a stored result costs. */
export function unitsOf(result: StoredResult): OperationUnits {
  return {
    request: result.requestUnits,
    delivered: result.settledCompanyIds.length,
    fresh: result.freshEvidenceUnits,
  };
}

/** The same operation as it will be once its delivery is marked. */
export function asDelivered(operation: Operation, result: StoredResult): Operation {
  return { ...operation, state: 'delivered', units: unitsOf(result), result };
}
