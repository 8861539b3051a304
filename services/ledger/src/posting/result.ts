import type { Allowance } from '../allowance/balance-snapshot.ts';
import type { Hold } from '../allowance/posting.ts';

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
