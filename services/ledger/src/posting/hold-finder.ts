const REMEMBERED = 50_000;
/** Operations per read. A hold has a bounded length, so this bounds the bytes of a read, too. */
const MOST_READ = 1_000;

export interface HoldFinderOptions<Found> {
  readonly read: (operationIds: readonly bigint[]) => Promise<ReadonlyMap<bigint, Found>>;
  readonly remembered?: number;
}

interface Waiter<Found> {
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Finds the row of an operation. Calls in the same iteration of the event loop share a read. Facts
 * that never change can be cached, so that own writes are not read again.
 */
export class HoldFinder<Found, Lasting> {
  readonly #options: HoldFinderOptions<Found>;
  readonly #lasting = new Map<bigint, Lasting>();
  #waiting = new Map<bigint, Waiter<Found>[]>();

  constructor(options: HoldFinderOptions<Found>) {
    this.#options = options;
  }

  remember(operationId: bigint, lasting: Lasting): void {
    this.#lasting.set(operationId, lasting);
    if (this.#lasting.size <= (this.#options.remembered ?? REMEMBERED)) return;
    for (const oldest of this.#lasting.keys()) {
      this.#lasting.delete(oldest);
      return;
    }
  }

  recall(operationId: bigint): Lasting | undefined {
    return this.#lasting.get(operationId);
  }

  find(operationId: bigint): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#readAll());
      const others = this.#waiting.get(operationId) ?? [];
      this.#waiting.set(operationId, [...others, { resolve, reject }]);
    });
  }

  #readAll(): void {
    const asked = [...this.#waiting];
    this.#waiting = new Map();
    for (let at = 0; at < asked.length; at += MOST_READ) void this.#readTogether(asked.slice(at, at + MOST_READ));
  }

  async #readTogether(asked: readonly (readonly [bigint, readonly Waiter<Found>[]])[]): Promise<void> {
    try {
      const found = await this.#options.read(asked.map(([operationId]) => operationId));
      for (const [operationId, waiters] of asked) for (const { resolve } of waiters) resolve(found.get(operationId));
    } catch (error) {
      for (const [, waiters] of asked) for (const { reject } of waiters) reject(error);
    }
  }
}
