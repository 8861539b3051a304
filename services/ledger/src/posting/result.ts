import type { Allowance } from '../allowance/balance-snapshot.ts';
import type { MismatchField, NamedOperation } from '../allowance/mismatch.ts';
import type { Hold, Posting } from '../allowance/posting.ts';

/** The operation's hold after a posting, and what its subscription has left. */
export interface PostingResult {
  readonly hold: Hold;
  /** Absent for a tombstone without subscription. */
  readonly allowance?: Allowance;
}

/** A posting that no correct caller asks for: settling a void hold, or more than is held. */
export class PostingFault extends Error {
  override readonly name = 'PostingFault';
}

/** A posting of another operation than the ledger knows under its number, or of other units: nothing is written. */
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

/** What becomes of a posting. */
export type Answered = PostingResult | PostingFault | PostingMismatch;
