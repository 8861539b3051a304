/** The others wait in FIFO order. */
export class ConcurrencyLimiter {
  readonly #limit: number;
  readonly #queues = new Map<bigint, { running: number; readonly waiting: (() => void)[] }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<T>(id: bigint, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(id) ?? { running: 0, waiting: [] };
    this.#queues.set(id, queue);
    if (queue.running < this.#limit) queue.running += 1;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.waiting.shift();
      if (next) next();
      else queue.running -= 1;
      if (queue.running === 0) this.#queues.delete(id);
    }
  }
}
