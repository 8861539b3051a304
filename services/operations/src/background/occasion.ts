/** Something that happens again and again, and that is waited for. */
export class Occasion {
  #waiting = new Set<() => void>();

  /** It happens now. */
  happen(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const resolve of waiting) resolve();
  }

  /** Resolves when it happens next, at the latest after `ms`, or when the signal aborts. */
  async next(ms: number, signal?: AbortSignal): Promise<void> {
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
