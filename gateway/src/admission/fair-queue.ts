/** Fewest running calls first; ties go to the account that was served longest ago. */
export class FairQueue<T> {
  readonly #queues = new Map<bigint, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  accountsWith(accountId: bigint): number {
    return this.#queues.size + (this.#queues.has(accountId) ? 0 : 1);
  }

  lengthOf(accountId: bigint): number {
    return this.#queues.get(accountId)?.length ?? 0;
  }

  add(accountId: bigint, item: T): void {
    const queue = this.#queues.get(accountId) ?? [];
    queue.push(item);
    this.#queues.set(accountId, queue);
    this.#size += 1;
  }

  take(runningOf: (accountId: bigint) => number, mostOf: (accountId: bigint) => number): T | undefined {
    let next: bigint | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const accountId of this.#queues.keys()) {
      const running = runningOf(accountId);
      if (running >= fewest || running >= mostOf(accountId)) continue;
      next = accountId;
      fewest = running;
      if (running === 0) break;
    }
    return next === undefined ? undefined : this.#takeOf(next);
  }

  #takeOf(accountId: bigint): T | undefined {
    const queue = this.#queues.get(accountId);
    const item = queue?.shift();
    if (!queue || item === undefined) return undefined;
    this.#size -= 1;
    this.#queues.delete(accountId);
    if (queue.length > 0) this.#queues.set(accountId, queue);
    return item;
  }
}
