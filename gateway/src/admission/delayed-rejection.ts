import { setTimeout as pause } from 'node:timers/promises';
import { PublicError } from '../errors/public-error.ts';

export class TooManyCalls extends PublicError {}

/** One account has too many calls in flight; the service itself is not overloaded. */
export class TooManyOfAccount extends TooManyCalls {}

/** Each waiting rejection holds a connection; further ones are sent at once. */
const CAPACITY = 5_000;

/**
 * Delays the answers of TooManyCalls. A rejection costs almost as much as an answer. Without the
 * delay, a client that retries at once could take the machine from all others (decision 0009).
 */
export class DelayedRejections {
  readonly #delayMs: number;
  #waiting = 0;

  /** `delayMs` is the mean delay; 0 disables it. */
  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  async wait(): Promise<void> {
    if (this.#delayMs === 0 || this.#waiting >= CAPACITY) return;
    this.#waiting += 1;
    try {
      // Jitter: without it, rejected clients would all retry at the same time.
      await pause(this.#delayMs * (0.5 + Math.random()));
    } finally {
      this.#waiting -= 1;
    }
  }
}
