import type { Allowance } from '../allowance/balance-snapshot.ts';
import type { Hold } from '../allowance/posting.ts';

/** The operation's hold after a movement, and what its subscription has left. */
export interface Moved {
  readonly hold: Hold;
  /** Absent for a tombstone without subscription. */
  readonly allowance?: Allowance;
}

/** A movement that no correct caller asks for: settling a void hold, or more than is held. */
export class MovementFault extends Error {
  override readonly name = 'MovementFault';
}
