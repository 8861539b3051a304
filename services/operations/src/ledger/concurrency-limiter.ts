/** Lets at most `limit` calls a key run at once; the others wait their turn, first come first served. */
export class ConcurrencyLimiter {
  readonly #limit: number;
  readonly #keys = new Map<bigint, { running: number; readonly waiting: (() => void)[] }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<T>(key: bigint, work: () => Promise<T>): Promise<T> {
    const queue = this.#keys.get(key) ?? { running: 0, waiting: [] };
    this.#keys.set(key, queue);
    if (queue.running < this.#limit) queue.running += 1;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else queue.running -= 1;
      if (queue.running === 0) this.#keys.delete(key);
    }
  }
}
