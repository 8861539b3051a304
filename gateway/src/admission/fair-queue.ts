/**
 * One queue for each account. The next account is the one with the fewest running calls; ties go to
 * the account that was served longest ago.
 */
export class FairQueue<T> {
  readonly #lines = new Map<bigint, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  accountsWith(accountId: bigint): number {
    return this.#lines.size + (this.#lines.has(accountId) ? 0 : 1);
  }

  lengthOf(accountId: bigint): number {
    return this.#lines.get(accountId)?.length ?? 0;
  }

  add(accountId: bigint, item: T): void {
    const line = this.#lines.get(accountId) ?? [];
    line.push(item);
    this.#lines.set(accountId, line);
    this.#size += 1;
  }

  take(runningOf: (accountId: bigint) => number, mostOf: (accountId: bigint) => number): T | undefined {
    let next: bigint | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const accountId of this.#lines.keys()) {
      const running = runningOf(accountId);
      if (running >= fewest || running >= mostOf(accountId)) continue;
      next = accountId;
      fewest = running;
      if (running === 0) break;
    }
    return next === undefined ? undefined : this.#takeOf(next);
  }

  #takeOf(accountId: bigint): T | undefined {
    const line = this.#lines.get(accountId);
    const item = line?.shift();
    if (!line || item === undefined) return undefined;
    this.#size -= 1;
    this.#lines.delete(accountId);
    if (line.length > 0) this.#lines.set(accountId, line);
    return item;
  }
}
