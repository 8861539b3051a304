import type { Logger } from '../telemetry/log.ts';
import { untraced } from '../telemetry/span.ts';

export interface PeriodicTaskOptions {
  /** What the log calls it: "NAME broken off; the next pass follows". */
  readonly name: string;
  /** Pause between the end of a pass and the beginning of the next, in milliseconds. */
  readonly everyMs: number;
  /** Share of `everyMs` by which a pause is lengthened at random, so that replicas do not work in step; 0 to 1. Default: 0. */
  readonly jitter?: number;
  /** Whether the first pass begins at once instead of after a pause. Default: false. */
  readonly immediately?: boolean;
  /** One pass. `signal` aborts when the task is disposed: a long pass ends between two steps. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

export interface PeriodicTask extends AsyncDisposable {
  /** Begins a pass now, or another one right after the present one. */
  wake(): void;
}

/**
 * Runs passes until disposed, one at a time and outside every trace. A pass that fails is logged and followed by the next.
 * Disposal aborts the signal of the present pass and waits for its end.
 */
export function startPeriodicTask(options: PeriodicTaskOptions): PeriodicTask {
  return new Task(options);
}

class Task implements PeriodicTask {
  readonly #options: PeriodicTaskOptions;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #passing: Promise<void> | undefined;
  #again = false;

  constructor(options: PeriodicTaskOptions) {
    this.#options = options;
    if (options.immediately) this.wake();
    else this.#schedule();
  }

  wake(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#passing) this.#again = true;
    else this.#passing = this.#passAndSchedule();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#passing;
  }

  async #passAndSchedule(): Promise<void> {
    const { signal } = this.#closing;
    clearTimeout(this.#timer);
    do {
      this.#again = false;
      await this.#pass(signal);
    } while (this.#again && !signal.aborted);
    this.#passing = undefined;
    if (!signal.aborted) this.#schedule();
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { name, run, logger } = this.#options;
    const begun = performance.now();
    try {
      await untraced(() => run(signal));
      logger.debug({ task: name, duration_ms: performance.now() - begun }, 'pass ended');
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, `${name} broken off; the next pass follows`);
    }
  }

  #schedule(): void {
    const { everyMs, jitter = 0 } = this.#options;
    this.#timer = setTimeout(() => this.wake(), everyMs * (1 + jitter * Math.random()));
  }
}
