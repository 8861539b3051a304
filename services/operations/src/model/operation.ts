import type { Input } from '../input/form.ts';
import type { StoredResult } from './result.ts';
import type { StoredFailure } from './stored-failure.ts';

/** `withdrawing`: rejected, and the ledger has yet to confirm that nothing is held. */
export const OPERATION_STATES = [
  'created',
  'withdrawing',
  'held',
  'running',
  'stored',
  'delivered',
  'failing',
  'failed',
] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

export type Payment = 'hold' | 'charge' | 'none';

export interface NewOperation {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  readonly credentialId: bigint;
  readonly testMode: boolean;
  readonly requestKey: string;
  readonly fingerprint: Buffer;
  readonly input: Input;
  readonly payment: Payment;
  /** Delivered units that are admitted before the result is known. */
  readonly worstCaseUnits: number;
  readonly background: boolean;
}

export interface Operation extends NewOperation {
  readonly id: bigint;
  /** A UUID that is never reused, unlike a number after a restore. */
  readonly identity: string;
  readonly state: OperationState;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
  readonly units: OperationUnits;
  readonly failure: StoredFailure | undefined;
  readonly result: StoredResult | undefined;
}

export interface OperationUnits {
  readonly request: number;
  readonly delivered: number;
  readonly fresh: number;
}

export function isEnded(state: OperationState): boolean {
  return state === 'delivered' || state === 'failed';
}

/** True until the ledger has decided. No caller has seen it, unless it was charged just now. */
export function isUndecided({ state, payment }: Pick<Operation, 'state' | 'payment'>): boolean {
  return state === 'created' || state === 'withdrawing' || (state === 'stored' && payment === 'charge');
}

export function unitsOf(result: StoredResult): OperationUnits {
  return {
    request: result.requestUnits,
    delivered: result.settledCompanyIds.length,
    fresh: result.freshEvidenceUnits,
  };
}

export function asDelivered(operation: Operation, result: StoredResult): Operation {
  return { ...operation, state: 'delivered', units: unitsOf(result), result };
}
