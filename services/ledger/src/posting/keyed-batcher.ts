import { inSharedSpan } from '@ces/chassis/telemetry/span';
import { type Context, context } from '@opentelemetry/api';

const MAX_BATCH = 200;
/**
 * Concurrent runs of a queue: one works while the next waits for the row lock. More would only hold
 * connections.
 */
const MAX_IN_FLIGHT = 2;
const COLLECT_MS = 5;
const MAX_WAITING = 2_000;

export interface BatcherOptions<Item, Result> {
  /** Runs a batch of one queue and returns one result or error per item, in order. */
  readonly run: (queueId: bigint, items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  readonly identityOf: (item: Item) => bigint;
  readonly overflow: () => Error;
  readonly maxBatch?: number;
}

interface Waiter<Item, Result> {
  readonly item: Item;
  readonly caller: Context;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Implements group commit with one queue per id (decision 0007). An idle queue runs the calls of
 * one event-loop turn at once. A busy queue collects calls until it is idle, 200 wait, or the
 * oldest has waited 5 ms.
 */
export class KeyedBatcher<Item, Result> {
  readonly #queues = new Map<bigint, BatchQueue<Item, Result>>();
  readonly #options: BatcherOptions<Item, Result>;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  add(queueId: bigint, item: Item): Promise<Result> {
    const queue =
      this.#queues.get(queueId) ?? new BatchQueue(queueId, this.#options, () => this.#queues.delete(queueId));
    this.#queues.set(queueId, queue);
    return queue.add(item);
  }
}

class BatchQueue<Item, Result> {
  readonly #id: bigint;
  readonly #options: BatcherOptions<Item, Result>;
  readonly #onIdle: () => void;
  #waiting: Waiter<Item, Result>[] = [];
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(id: bigint, options: BatcherOptions<Item, Result>, onIdle: () => void) {
    this.#id = id;
    this.#options = options;
    this.#onIdle = onIdle;
  }

  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(this.#options.overflow());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, caller: context.active(), since: performance.now(), resolve, reject });
      // The microtask lets calls of the same event-loop turn share the first run.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#advance());
      else if (this.#waiting.length === this.#maxBatch) this.#advance();
    });
  }

  #advance(): void {
    const [oldest] = this.#waiting;
    if (!oldest) {
      if (this.#inFlight === 0) this.#end();
      return;
    }
    if (this.#inFlight >= MAX_IN_FLIGHT) return;
    const waitMs = COLLECT_MS - (performance.now() - oldest.since);
    if (this.#inFlight === 0 || this.#waiting.length >= this.#maxBatch || waitMs <= 0) {
      void this.#run(this.#take());
      this.#advance();
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#advance();
    }, waitMs);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#onIdle();
  }

  get #maxBatch(): number {
    return this.#options.maxBatch ?? MAX_BATCH;
  }

  #take(): readonly Waiter<Item, Result>[] {
    const batch = new Map<bigint, Waiter<Item, Result>>();
    const left: Waiter<Item, Result>[] = [];
    for (const waiter of this.#waiting) {
      const identity = this.#options.identityOf(waiter.item);
      if (batch.size < this.#maxBatch && !batch.has(identity)) batch.set(identity, waiter);
      else left.push(waiter);
    }
    this.#waiting = left;
    return [...batch.values()];
  }

  async #run(batch: readonly Waiter<Item, Result>[]): Promise<void> {
    this.#inFlight += 1;
    try {
      const items = batch.map(({ item }) => item);
      const callers = batch.map(({ caller }) => caller);
      const results = await inSharedSpan('share', callers, () => this.#options.run(this.#id, items));
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined || result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#inFlight -= 1;
      this.#advance();
    }
  }
}
