import { type Context, context } from '@opentelemetry/api';
import { FailureCode, fail } from '../rpc/failure.ts';
import { inSharedSpan } from '../telemetry/span.ts';

const MAX_WAITING = 10_000;
const NONE = Number.POSITIVE_INFINITY;

export interface BatcherOptions<Item, Result> {
  /**
   * Settles the entries of a batch, at once or one by one. Entries that are open when it ends are
   * rejected, with its error if it throws. `release` makes the batch count as ended before that.
   */
  readonly run: (entries: readonly BatchEntry<Item, Result>[], release: () => void) => Promise<void>;
  /** Limit on items of a batch. */
  readonly maxItems: number;
  /** Limit on the sum of sizes of a batch; a larger item gets its own. Default: none. */
  readonly maxSize?: number;
  /** Size of an item, for instance in bytes. Default: 0. */
  readonly sizeOf?: (item: Item) => number;
  /** Limit on batches that run at once. Default: none. */
  readonly maxInFlight?: number;
  /**
   * How long an item waits for others while a batch runs, in milliseconds. Default: until no batch
   * runs.
   */
  readonly maxWaitMs?: number;
  /** Least time between the starts of two batches, in milliseconds. Default: 0. */
  readonly intervalMs?: number;
  /** Limit on items that wait. Beyond it, an item is refused as unavailable. Default: 10,000. */
  readonly maxWaiting?: number;
  /** Items with the same identity never share a batch. Default: every item has its own. */
  readonly identityOf?: (item: Item) => unknown;
  /** Name of the span that several callers share. */
  readonly spanName?: string;
  /** Called when nothing waits or runs any more. */
  readonly onIdle?: () => void;
}

export interface ItemOptions {
  /** The item is rejected with a BatchTimeout after this time, in milliseconds. */
  readonly timeoutMs?: number;
  /** The item is rejected with the signal's reason when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** An item and its outcome. The first outcome counts; later ones are ignored. */
export interface BatchEntry<Item, Result> {
  readonly item: Item;
  /** In milliseconds of `performance.now()`; infinite without a timeout. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the item has no outcome yet, and its caller still waits. */
  readonly isOpen: boolean;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export class BatchTimeout extends Error {
  override readonly name = 'BatchTimeout';
}

/**
 * Gathers concurrent items into batches, to share the cost of a statement, commit or call.
 *
 * - Without a running batch, all items of an event-loop turn start at once. While one runs, items
 *   wait until it ends, they fill a batch, or the oldest has waited long enough.
 * - Batches start in order of arrival. Each item has its own outcome, deadline and abort signal. An
 *   item whose caller leaves while it waits is in no batch.
 * - Disposal starts what waits without further delay, and resolves when everything has ended.
 */
export class Batcher<Item, Result> implements AsyncDisposable {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting = new Set<Entry<Item, Result>>();
  #waitingSize = 0;
  /** Batches that neither ended nor were released. */
  #inFlight = 0;
  #running = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #starting: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #disposed: (() => void) | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item, options: ItemOptions = {}): Promise<Result> {
    const { sizeOf, maxWaiting = MAX_WAITING } = this.#options;
    if (this.#waiting.size >= maxWaiting)
      return Promise.reject(fail(FailureCode.SERVICE_UNAVAILABLE, 'Too many calls wait here now; try again.'));
    const entry = new Entry<Item, Result>(item, sizeOf?.(item) ?? 0, options, () => {
      this.#remove(entry);
      this.#checkIdle();
    });
    this.#waiting.add(entry);
    this.#waitingSize += entry.size;
    entry.leaveIfAborted();
    this.#advance();
    return entry.result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const disposed = new Promise<void>((resolve) => {
      this.#disposed = resolve;
    });
    this.#advance();
    this.#checkIdle();
    await disposed;
  }

  #advance(): void {
    const waitMs = this.#starting ? undefined : this.#nextInMs();
    if (waitMs === undefined) return;
    if (waitMs <= 0) {
      // Further items of this turn join the batch.
      this.#starting = setImmediate(() => this.#start());
      return;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#advance();
    }, waitMs);
  }

  /** Undefined if nothing waits, or if a batch must end first. */
  #nextInMs(): number | undefined {
    const { maxItems, maxSize = NONE, maxInFlight = NONE, maxWaitMs = NONE, intervalMs = 0 } = this.#options;
    const [oldest] = this.#waiting;
    if (!oldest || this.#inFlight >= maxInFlight) return undefined;
    if (this.#disposed) return 0;
    const now = performance.now();
    const isFull = this.#waiting.size >= maxItems || this.#waitingSize >= maxSize;
    const gatherMs = this.#inFlight === 0 || isFull ? 0 : oldest.since + maxWaitMs - now;
    const nextMs = Math.max(gatherMs, this.#startedAt + intervalMs - now);
    return nextMs === NONE ? undefined : nextMs;
  }

  #start(): void {
    this.#clearTimer();
    this.#starting = undefined;
    const batch = this.#take();
    if (batch.length > 0) void this.#run(batch);
    this.#advance();
  }

  #take(): readonly Entry<Item, Result>[] {
    const { maxItems, maxSize = NONE, identityOf } = this.#options;
    const batch = new Map<unknown, Entry<Item, Result>>();
    let size = 0;
    for (const entry of this.#waiting) {
      if (batch.size === maxItems || (batch.size > 0 && size + entry.size > maxSize)) break;
      const identity = identityOf ? identityOf(entry.item) : entry;
      if (batch.has(identity)) continue;
      batch.set(identity, entry);
      size += entry.size;
    }
    for (const entry of batch.values()) this.#remove(entry);
    return [...batch.values()];
  }

  async #run(batch: readonly Entry<Item, Result>[]): Promise<void> {
    const { run, spanName = 'share' } = this.#options;
    this.#running += 1;
    this.#inFlight += 1;
    this.#startedAt = performance.now();
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#inFlight -= 1;
      this.#clearTimer();
      this.#advance();
    };
    const callers = batch.map(({ caller }) => caller);
    try {
      await inSharedSpan(spanName, callers, () => run(batch, release));
      for (const entry of batch)
        if (entry.isOpen) entry.reject(new Error('a batch ended without a result of this item'));
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
    this.#running -= 1;
    release();
    this.#checkIdle();
  }

  #remove(entry: Entry<Item, Result>): void {
    if (this.#waiting.delete(entry)) this.#waitingSize -= entry.size;
  }

  #checkIdle(): void {
    if (this.#running > 0 || this.#waiting.size > 0) return;
    this.#clearTimer();
    clearImmediate(this.#starting);
    this.#starting = undefined;
    this.#options.onIdle?.();
    this.#disposed?.();
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

class Entry<Item, Result> implements BatchEntry<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly caller: Context = context.active();
  readonly since = performance.now();
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly result: Promise<Result>;
  readonly #settle: PromiseWithResolvers<Result>;
  readonly #leave: () => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #isOpen = true;

  constructor(item: Item, size: number, { timeoutMs, signal }: ItemOptions, onLeave: () => void) {
    this.item = item;
    this.size = size;
    this.signal = signal;
    this.deadline = this.since + (timeoutMs ?? NONE);
    this.#settle = Promise.withResolvers();
    this.result = this.#settle.promise;
    this.#leave = () => {
      onLeave();
      this.reject(signal?.aborted ? signal.reason : new BatchTimeout(`no result within ${timeoutMs} ms`));
    };
    if (timeoutMs !== undefined) this.#timer = setTimeout(this.#leave, timeoutMs);
    signal?.addEventListener('abort', this.#leave, { once: true });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  leaveIfAborted(): void {
    if (this.signal?.aborted) this.#leave();
  }

  resolve(result: Result): void {
    if (this.#close()) this.#settle.resolve(result);
  }

  reject(error: unknown): void {
    if (this.#close()) this.#settle.reject(error);
  }

  #close(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.signal?.removeEventListener('abort', this.#leave);
    return true;
  }
}

/** Settles the entries of a batch with one result or error for each, in order. */
export function settleInOrder<Result>(
  entries: readonly BatchEntry<unknown, Result>[],
  results: readonly (Result | Error)[],
): void {
  for (const [index, entry] of entries.entries()) {
    const result = results[index];
    if (result instanceof Error) entry.reject(result);
    else if (result !== undefined) entry.resolve(result);
  }
}
