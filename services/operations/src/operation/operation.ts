import type { FailureCode } from '@ces/chassis/rpc/failure';
import type { ActionName, Input } from '../input/form.ts';
import type { StoredResult } from './result.ts';

/**
 * Where an operation stands between two steps (reliability.md 2.2). `withdrawing`: whoever submitted it was turned away,
 * and the ledger is yet to confirm that nothing is held. `retired`: only its key is left.
 */
export type Point =
  | 'created'
  | 'withdrawing'
  | 'held'
  | 'running'
  | 'stored'
  | 'delivered'
  | 'failing'
  | 'failed'
  | 'retired';

/** How it is paid: a hold that is settled, one charge after the read, or not at all. */
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
  /** Accepted as background: nobody waits, and sources may take longer. */
  readonly background: boolean;
}

export interface Operation extends NewOperation {
  readonly id: bigint;
  readonly point: Point;
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

export const NO_UNITS: OperationUnits = { request: 0, delivered: 0, fresh: 0 };

export interface StoredFailure {
  readonly code: FailureCode;
  readonly message: string;
}

/** Whether the ledger has yet to decide: nobody was told of it, unless it was charged a moment ago and is not marked yet. */
export function isUndecided({ point, payment }: Pick<Operation, 'point' | 'payment'>): boolean {
  return point === 'created' || point === 'withdrawing' || (point === 'stored' && payment === 'charge');
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
  return { ...operation, point: 'delivered', units: unitsOf(result), result };
}

export type { ActionName };
