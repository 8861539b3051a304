import type { Logger } from '../telemetry/log.ts';
import { untraced } from '../telemetry/span.ts';

export interface PeriodicTaskOptions {
  /** In the log: "NAME broken off; the next pass follows". */
  readonly name: string;
  /** The pause from the end of a pass to the start of the next. */
  readonly everyMs: number;
  /** Random extra share of `everyMs`, so that replicas spread out; 0 to 1. Default: 0. */
  readonly jitter?: number;
  readonly immediately?: boolean;
  /** `signal` aborts on disposal; a long pass checks it between two steps. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

export interface PeriodicTask extends AsyncDisposable {
  wake(): void;
}

/**
 * One at a time, outside every trace. A failed pass is logged. Disposal aborts and awaits the
 * current pass.
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
