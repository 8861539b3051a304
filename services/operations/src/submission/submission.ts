import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Bounds, Work } from '../actions/action.ts';
import type { Input } from '../input/form.ts';
import type { NewOperation, Payment } from '../operation/operation.ts';

/** A checked call that names an operation. */
export interface Submission {
  readonly principal: Principal;
  readonly requestKey: string;
  readonly input: Input;
  readonly fingerprint: Buffer;
  /** Answer at once, work later. */
  readonly background: boolean;
  /** The longest wait for a result, in milliseconds. */
  readonly waitMs: number;
  /**
   * Checks what depends on plan, clock and cursor, and says how the work is done and paid. Asked only when the key is
   * new: a retry of what was accepted is answered whatever has changed since.
   */
  readonly admit: (now: Date) => Promise<Route> | Route;
}

export type Route =
  /** The cost is known after a read: read, store, charge. */
  | { readonly kind: 'charge'; readonly work: (bounds: Bounds) => Promise<Work> }
  /** The worst case is held first; then a run, after a delay if one is scripted. */
  | { readonly kind: 'hold'; readonly worstCaseUnits: number; readonly delayMs?: number }
  /** It costs nothing and needs no work. */
  | { readonly kind: 'free'; readonly work: Work };

export function newOperation(submission: Submission, payment: Payment, worstCaseUnits: number): NewOperation {
  const { principal, requestKey, input } = submission;
  return {
    accountId: principal.accountId,
    subscriptionId: principal.subscriptionId,
    credentialId: principal.credentialId,
    testMode: principal.testMode,
    requestKey,
    fingerprint: submission.fingerprint,
    input,
    payment,
    worstCaseUnits,
    background: submission.background,
  };
}
