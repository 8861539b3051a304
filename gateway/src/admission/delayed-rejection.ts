import { setTimeout as pause } from 'node:timers/promises';
import { PublicError } from '../errors/public-error.ts';

/** A call is rejected for how many there are, whatever it asks for. */
export class TooManyCalls extends PublicError {}

/** One account has too many calls in flight, however many others have. */
export class TooManyOfAccount extends TooManyCalls {}

/** Rejections that wait at most; those beyond are answered at once, since each holds a connection. */
const CAPACITY = 5_000;

/**
 * Answers TooManyCalls late. Rejecting a call costs a good part of what answering it does, so a client that asks again
 * at once would otherwise take the machine from every other by its rejections alone (decision 0009).
 */
export class DelayedRejections {
  readonly #delayMs: number;
  #waiting = 0;

  /** `delayMs` on average; 0: no rejection waits. */
  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  async wait(): Promise<void> {
    if (this.#delayMs === 0 || this.#waiting >= CAPACITY) return;
    this.#waiting += 1;
    try {
      // Not all at once, or a crowd would come back as it came.
      await pause(this.#delayMs * (0.5 + Math.random()));
    } finally {
      this.#waiting -= 1;
    }
  }
}
