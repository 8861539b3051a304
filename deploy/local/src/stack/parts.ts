/** What was started, to be stopped in the reverse order, once. */
export class Parts implements AsyncDisposable {
  readonly #parts: AsyncDisposable[] = [];
  #stopped: Promise<void> | undefined;

  add<T extends AsyncDisposable>(part: T): T {
    this.#parts.push(part);
    return part;
  }

  /** Starts several at once. When one fails, those that started are kept for stopping, and its error is thrown. */
  async addAll<T extends readonly (Promise<AsyncDisposable> | undefined)[]>(
    starting: T,
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    const outcomes = await Promise.allSettled(starting);
    for (const one of outcomes) if (one.status === 'fulfilled' && one.value) this.add(one.value);
    return (await Promise.all(starting)) as { -readonly [K in keyof T]: Awaited<T[K]> };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    for (let part = this.#parts.pop(); part; part = this.#parts.pop()) await part[Symbol.asyncDispose]();
  }
}
