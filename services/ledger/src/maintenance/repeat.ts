import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@ces/chassis/telemetry/log';
import { untraced } from '@ces/chassis/telemetry/span';

/** Work that is not worth a rest yet, in milliseconds. */
const REST_AFTER_MS = 50;

/** Does the work of a pass until `signal` aborts, which ends it between two steps. */
export type Pass = (signal: AbortSignal) => Promise<void>;

/** Runs a pass now and `everyMs` after the end of each, one at a time; one that fails is logged and followed by the next. */
export function repeat(name: string, everyMs: number, pass: Pass, logger: Logger): AsyncDisposable {
  const closing = new AbortController();
  const { signal } = closing;
  const passes = async () => {
    while (!signal.aborted) {
      await untraced(() => pass(signal)).catch((error) => {
        if (!signal.aborted) logger.warn({ err: error }, `${name} broken off; the next pass follows`);
      });
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const ended = passes();
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await ended;
    },
  };
}

/** Shares the database with those who wait for it: rests as long as it has worked, now and then. */
export class Pace {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Rejects when the work is to end. */
  async keep(): Promise<void> {
    this.#signal.throwIfAborted();
    const workedMs = performance.now() - this.#since;
    if (workedMs < REST_AFTER_MS) return;
    await pause(workedMs, undefined, { signal: this.#signal });
    this.#since = performance.now();
  }
}
