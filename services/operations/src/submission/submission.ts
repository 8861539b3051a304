import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { RequestedAction } from '../actions/action.ts';
import type { NewOperation, Payment } from '../model/operation.ts';

export interface Submission {
  readonly principal: Principal;
  readonly requestKey: string;
  readonly action: RequestedAction;
  readonly fingerprint: Buffer;
  readonly background: boolean;
  readonly waitMs: number;
  /** Answer instead of waiting for the end. */
  readonly untilWaiting: boolean;
}

export function newOperation(submission: Submission, payment: Payment, worstCaseUnits: number): NewOperation {
  const { principal, requestKey, action, fingerprint, background } = submission;
  return {
    accountId: principal.accountId,
    subscriptionId: principal.subscriptionId,
    credentialId: principal.credentialId,
    testMode: principal.testMode,
    requestKey,
    fingerprint,
    input: action.input,
    payment,
    worstCaseUnits,
    background,
  };
}
