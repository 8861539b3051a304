/** Work that goes on after its call was answered; the service waits for it when it ends. */
export class Pending implements AsyncDisposable {
  readonly #work = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const tracked = work.catch(() => undefined).finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#work);
  }
}
