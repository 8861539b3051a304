/** Condition variable for async callers. */
export class AsyncCondition {
  #waiting = new Set<() => void>();

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  notifyAll(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const resolve of waiting) resolve();
  }

  /** Resolves at the next `notifyAll`, after `ms`, or when the signal aborts. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
      this.#waiting.add(done);
    });
  }
}
