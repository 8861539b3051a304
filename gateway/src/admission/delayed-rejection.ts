import { setTimeout as pause } from 'node:timers/promises';
import { PublicError } from '../errors/public-error.ts';

export class TooManyCalls extends PublicError {}

/** The service itself is not overloaded. */
export class TooManyOfAccount extends TooManyCalls {}

/** Each holds a connection; further ones are sent at once. */
const CAPACITY = 5_000;

/**
 * A rejection costs almost as much as an answer: clients that retry at once could take the machine
 * from all others (decision 0009).
 */
export class DelayedRejections {
  readonly #delayMs: number;
  #waiting = 0;

  /** The mean; 0 disables it. */
  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  async wait(): Promise<void> {
    if (this.#delayMs === 0 || this.#waiting >= CAPACITY) return;
    this.#waiting += 1;
    try {
      // Without jitter, rejected clients would all retry at the same time.
      await pause(this.#delayMs * (0.5 + Math.random()));
    } finally {
      this.#waiting -= 1;
    }
  }
}
