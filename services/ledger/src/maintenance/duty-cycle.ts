import { setTimeout as pause } from 'node:timers/promises';

const REST_AFTER_MS = 50;

/** Rests for as long as it worked, to leave half of the database to calls. */
export class DutyCycle {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async rest(): Promise<void> {
    this.#signal.throwIfAborted();
    const workedMs = performance.now() - this.#since;
    if (workedMs < REST_AFTER_MS) return;
    await pause(workedMs, undefined, { signal: this.#signal });
    this.#since = performance.now();
  }
}
