/** Continues after its call was answered. Disposal waits for it. */
export class Pending implements AsyncDisposable {
  readonly #work = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const tracked = work.catch(() => undefined).finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  get count(): number {
    return this.#work.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#work);
  }
}
