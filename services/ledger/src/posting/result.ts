import type { Allowance } from '../allowance/balance-snapshot.ts';
import type { MismatchField, NamedOperation } from '../allowance/mismatch.ts';
import type { Hold, Posting } from '../allowance/posting.ts';

export interface PostingResult {
  readonly hold: Hold;
  /** Absent for a tombstone without a subscription. */
  readonly allowance?: Allowance;
}

/** A bug of the caller, such as settling a void hold or more than is held. */
export class PostingFault extends Error {
  override readonly name = 'PostingFault';
}

export class PostingMismatch extends Error {
  override readonly name = 'PostingMismatch';
  readonly kind: Posting['kind'];
  readonly operation: NamedOperation;
  readonly field: MismatchField;

  constructor(kind: Posting['kind'], operation: NamedOperation, field: MismatchField) {
    super(`${kind}: the ledger knows operation ${operation.operationId} with another ${field}`);
    this.kind = kind;
    this.operation = operation;
    this.field = field;
  }
}

export type PostingOutcome = PostingResult | PostingFault | PostingMismatch;
