import { setTimeout as pause } from 'node:timers/promises';
import { PublicError } from '../output/public-error.ts';

/** A call is refused for how many there are, whatever it asks for. */
export class TooMuch extends PublicError {}

/** Refusals that wait at most; those beyond are answered at once, since each holds a connection. */
const HELD_AT_MOST = 5_000;

/**
 * Answers a refusal of TooMuch late. Refusing costs a good part of what answering does, so a client that does not wait
 * before it tries again would else keep everyone from being answered by being refused (`npm run lab -- overload`).
 */
export class HeldRefusals {
  readonly #holdMs: number;
  #held = 0;

  /** `holdMs` on average; 0: nothing waits. */
  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  async wait(): Promise<void> {
    if (this.#holdMs === 0 || this.#held >= HELD_AT_MOST) return;
    this.#held += 1;
    try {
      // Not all at once, or a crowd would come back as it came.
      await pause(this.#holdMs * (0.5 + Math.random()));
    } finally {
      this.#held -= 1;
    }
  }
}
