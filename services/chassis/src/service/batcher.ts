import { type Context, context } from '@opentelemetry/api';
import { FailureCode, fail } from '../failure.ts';
import { inSharedSpan } from '../telemetry/span.ts';

const MAX_WAITING = 10_000;
const NONE = Number.POSITIVE_INFINITY;

export interface BatcherOptions<Item, Result> {
  /**
   * Settles entries at once or one by one. Open entries are rejected at the end, with its error if
   * it throws. `release` ends the batch before that.
   */
  readonly run: (entries: readonly BatchEntry<Item, Result>[], release: () => void) => Promise<void>;
  readonly maxItems: number;
  /** Sum of sizes; a larger item gets its own batch. Default: none. */
  readonly maxSize?: number;
  readonly sizeOf?: (item: Item) => number;
  readonly maxInFlight?: number;
  readonly maxWaitMs?: number;
  readonly intervalMs?: number;
  /** Beyond it, an item is refused as unavailable. Default: 10,000. */
  readonly maxWaiting?: number;
  /** Items of one identity never share a batch. Default: all differ. */
  readonly identityOf?: (item: Item) => unknown;
  readonly errorOf?: (error: unknown, signal: AbortSignal | undefined) => unknown;
  readonly spanName?: string;
  /** Called when nothing waits or runs any more. */
  readonly onIdle?: () => void;
}

export interface ItemOptions {
  /** After this time the item is rejected with BatchTimeout. */
  readonly timeoutMs?: number;
  /** When the signal aborts, the item is rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The first outcome of an item counts; later ones are ignored. */
export interface BatchEntry<Item, Result> {
  readonly item: Item;
  /** A time of `performance.now()`; infinite without a timeout. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** The item has no outcome yet, and its caller still waits. */
  readonly isOpen: boolean;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export class BatchTimeout extends Error {
  override readonly name = 'BatchTimeout';
}

/**
 * Without a running batch, all items of an event-loop turn start at once; else they wait until it
 * ends, they fill a batch, or the oldest has waited long enough.
 * Batches start in order of arrival. An item whose caller leaves while it waits is in no batch.
 * Disposal starts waiting items and resolves at the end.
 */
export class Batcher<Item, Result> implements AsyncDisposable {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #maxSize: number;
  readonly #maxInFlight: number;
  readonly #maxWaiting: number;
  readonly #errorOf: Outcome<Result>['errorOf'];
  #waiting: Entry<Item, Result>[] = [];
  #waitingSize = 0;
  #inFlight = 0;
  #running = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #starting: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #disposed: (() => void) | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
    this.#maxSize = options.maxSize ?? NONE;
    this.#maxInFlight = options.maxInFlight ?? NONE;
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING;
    this.#errorOf = options.errorOf ?? ((error) => error);
  }

  add(item: Item, { timeoutMs, signal }: ItemOptions = {}): Promise<Result> {
    if (signal?.aborted) {
      this.#checkIdle();
      return Promise.reject(this.#errorOf(signal.reason, signal));
    }
    if (this.#waiting.length >= this.#maxWaiting)
      return Promise.reject(fail(FailureCode.SERVICE_UNAVAILABLE, 'Too many calls wait here now; try again.'));
    return new Promise<Result>((resolve, reject) => {
      const size = this.#options.sizeOf?.(item) ?? 0;
      const entry = new Entry<Item, Result>(item, size, timeoutMs, signal, { resolve, reject, errorOf: this.#errorOf });
      if (timeoutMs !== undefined || signal) entry.leaveInTime(timeoutMs, this.#forget);
      this.#waiting.push(entry);
      this.#waitingSize += size;
      this.#advance();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const disposed = new Promise<void>((resolve) => {
      this.#disposed = resolve;
    });
    this.#clearTimer();
    this.#advance();
    this.#checkIdle();
    await disposed;
  }

  get #isFull(): boolean {
    return this.#waiting.length >= this.#options.maxItems || this.#waitingSize >= this.#maxSize;
  }

  #advance(): void {
    if (this.#starting || this.#inFlight >= this.#maxInFlight || (this.#timer && !this.#isFull)) return;
    const waitMs = this.#nextInMs();
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
    const [oldest] = this.#waiting;
    if (!oldest) return undefined;
    if (this.#disposed) return 0;
    const { maxWaitMs = NONE, intervalMs = 0 } = this.#options;
    const now = performance.now();
    const gatherMs = this.#inFlight === 0 || this.#isFull ? 0 : oldest.since + maxWaitMs - now;
    const nextMs = Math.max(gatherMs, this.#startedAt + intervalMs - now);
    return nextMs === NONE ? undefined : nextMs;
  }

  #start(): void {
    this.#clearTimer();
    this.#starting = undefined;
    const batch = this.#take();
    for (const { size } of batch) this.#waitingSize -= size;
    if (batch.length > 0) void this.#run(batch);
    this.#advance();
  }

  #take(): readonly Entry<Item, Result>[] {
    const { maxItems, identityOf } = this.#options;
    let size = 0;
    let end = 0;
    for (const entry of this.#waiting) {
      size += entry.size;
      if (end === maxItems || (end > 0 && size > this.#maxSize)) break;
      end += 1;
    }
    const first = this.#waiting.splice(0, end);
    if (!identityOf) return first;
    const batch = new Map<unknown, Entry<Item, Result>>();
    const later: Entry<Item, Result>[] = [];
    for (const entry of first) {
      const identity = identityOf(entry.item);
      if (batch.has(identity)) later.push(entry);
      else batch.set(identity, entry);
    }
    if (later.length > 0) this.#waiting.unshift(...later);
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

  /** A field, so that entries share the function. */
  readonly #forget = (entry: Entry<Item, Result>): void => {
    const at = this.#waiting.indexOf(entry);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    this.#waitingSize -= entry.size;
    this.#checkIdle();
  };

  #checkIdle(): void {
    if (this.#running > 0 || this.#waiting.length > 0) return;
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

interface Outcome<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly errorOf: (error: unknown, signal: AbortSignal | undefined) => unknown;
}

class Entry<Item, Result> implements BatchEntry<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly caller: Context = context.active();
  readonly since = performance.now();
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  isOpen = true;
  readonly #outcome: Outcome<Result>;
  #timer: NodeJS.Timeout | undefined;
  #leave: (() => void) | undefined;

  constructor(
    item: Item,
    size: number,
    timeoutMs: number | undefined,
    signal: AbortSignal | undefined,
    outcome: Outcome<Result>,
  ) {
    this.item = item;
    this.size = size;
    this.deadline = timeoutMs === undefined ? NONE : this.since + timeoutMs;
    this.signal = signal;
    this.#outcome = outcome;
  }

  leaveInTime(timeoutMs: number | undefined, onLeave: (entry: Entry<Item, Result>) => void): void {
    const { signal } = this;
    this.#leave = () => {
      this.reject(signal?.aborted ? signal.reason : new BatchTimeout(`no result within ${timeoutMs} ms`));
      onLeave(this);
    };
    if (timeoutMs !== undefined) this.#timer = setTimeout(this.#leave, timeoutMs);
    signal?.addEventListener('abort', this.#leave, { once: true });
  }

  resolve(result: Result): void {
    if (this.#close()) this.#outcome.resolve(result);
  }

  reject(error: unknown): void {
    if (this.#close()) this.#outcome.reject(this.#outcome.errorOf(error, this.signal));
  }

  #close(): boolean {
    if (!this.isOpen) return false;
    this.isOpen = false;
    if (!this.#leave) return true;
    clearTimeout(this.#timer);
    this.signal?.removeEventListener('abort', this.#leave);
    return true;
  }
}

export function settleInOrder<Result>(
  entries: readonly BatchEntry<unknown, Result>[],
  results: readonly (Result | Error)[],
): void {
  entries.forEach((entry, index) => {
    const result = results[index];
    if (result instanceof Error) entry.reject(result);
    else if (result !== undefined) entry.resolve(result);
  });
}
