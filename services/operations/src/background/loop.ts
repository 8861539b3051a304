import { untraced } from '@ces/chassis/telemetry/span';

/** Runs a pass again and again: every `pauseMs` and at once when woken, one at a time. A pass that fails is followed by the next. */
export class Loop implements AsyncDisposable {
  readonly #pauseMs: number;
  readonly #pass: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #passing: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(pauseMs: number, pass: () => Promise<void>, onError: (error: unknown) => void) {
    this.#pauseMs = pauseMs;
    this.#pass = pass;
    this.#onError = onError;
    this.#timer = setTimeout(() => this.wake(), pauseMs);
  }

  /** Begins a pass now, or another one right after the present one. */
  wake(): void {
    if (this.#closed) return;
    if (this.#passing) this.#again = true;
    else this.#passing = this.#passAndWait();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#passing;
  }

  async #passAndWait(): Promise<void> {
    clearTimeout(this.#timer);
    do {
      this.#again = false;
      await untraced(this.#pass).catch(this.#onError);
    } while (this.#again && !this.#closed);
    this.#passing = undefined;
    if (!this.#closed) this.#timer = setTimeout(() => this.wake(), this.#pauseMs);
  }
}
