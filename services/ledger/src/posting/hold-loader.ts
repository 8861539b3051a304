const MAX_CACHED = 50_000;
/** Operations per read. A hold has a bounded length, so this bounds the bytes of a read, too. */
const MAX_READ = 1_000;

export interface HoldLoaderOptions<Found> {
  readonly read: (operationIds: readonly bigint[]) => Promise<ReadonlyMap<bigint, Found>>;
  readonly maxCached?: number;
}

interface Waiter<Found> {
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Loads the row of an operation. Calls in the same iteration of the event loop share a read. Facts
 * that never change can be cached, so that own writes are not read again.
 */
export class HoldLoader<Found, Cached> {
  readonly #options: HoldLoaderOptions<Found>;
  readonly #cached = new Map<bigint, Cached>();
  #waiting = new Map<bigint, Waiter<Found>[]>();

  constructor(options: HoldLoaderOptions<Found>) {
    this.#options = options;
  }

  store(operationId: bigint, value: Cached): void {
    this.#cached.set(operationId, value);
    if (this.#cached.size <= (this.#options.maxCached ?? MAX_CACHED)) return;
    for (const oldest of this.#cached.keys()) {
      this.#cached.delete(oldest);
      return;
    }
  }

  peek(operationId: bigint): Cached | undefined {
    return this.#cached.get(operationId);
  }

  load(operationId: bigint): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#readAll());
      const others = this.#waiting.get(operationId) ?? [];
      this.#waiting.set(operationId, [...others, { resolve, reject }]);
    });
  }

  #readAll(): void {
    const asked = [...this.#waiting];
    this.#waiting = new Map();
    for (let at = 0; at < asked.length; at += MAX_READ) void this.#readBatch(asked.slice(at, at + MAX_READ));
  }

  async #readBatch(asked: readonly (readonly [bigint, readonly Waiter<Found>[]])[]): Promise<void> {
    try {
      const found = await this.#options.read(asked.map(([operationId]) => operationId));
      for (const [operationId, waiters] of asked) for (const { resolve } of waiters) resolve(found.get(operationId));
    } catch (error) {
      for (const [, waiters] of asked) for (const { reject } of waiters) reject(error);
    }
  }
}
