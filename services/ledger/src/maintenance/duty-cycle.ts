import { setTimeout as pause } from 'node:timers/promises';

const REST_AFTER_MS = 50;

/**
 * Leaves half of the database's time to calls: after long work it rests for as long as it has
 * worked.
 */
export class DutyCycle {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Call it between two steps. It rejects when the signal aborts. */
  async rest(): Promise<void> {
    this.#signal.throwIfAborted();
    const workedMs = performance.now() - this.#since;
    if (workedMs < REST_AFTER_MS) return;
    await pause(workedMs, undefined, { signal: this.#signal });
    this.#since = performance.now();
  }
}
