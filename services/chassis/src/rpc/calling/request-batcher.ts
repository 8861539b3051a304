import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { type CallOptions, Code, ConnectError } from '@connectrpc/connect';
import { type Context, context } from '@opentelemetry/api';
import { inSharedSpan } from '../../telemetry/span.ts';
import { MAX_REQUEST_BYTES, maxBytesOf } from '../message-size.ts';
import { errorOfRefusal, toOutage } from '../refusal.ts';
import { priorAttemptsOf, withPriorAttempts } from './prior-attempts.ts';

const MOST = 200;
/**
 * Limit on a call's requests, in bytes, below what a peer reads. A larger request gets its own
 * call.
 */
const MOST_BYTES = MAX_REQUEST_BYTES - 1024;
/** While this many calls are unanswered, requests wait to share the next call. */
const MOST_UNANSWERED = 1;
/** Limit on that wait, and on how long a call counts as unanswered, in milliseconds. */
const LONGEST_WAIT_MS = 20;

export type BatchAnswer<Answer> =
  | { readonly index: number; readonly answer: Answer }
  | { readonly index: number; readonly refusal: Refusal };

export interface RequestBatcherOptions<Request, Answer> {
  readonly typeName: string;
  readonly callOne: (request: Request, options: CallOptions) => Promise<Answer>;
  /** Sends a batch; the response stream answers each request once, in any order. */
  readonly callBatch: (
    requests: readonly Request[],
    options: CallOptions,
  ) => AsyncIterable<readonly BatchAnswer<Answer>[]>;
  /** Limit on requests per call; default 200. */
  readonly most?: number;
}

export interface BatchedCallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

interface Waiter<Request, Answer> {
  readonly request: Request;
  readonly bytes: number;
  readonly caller: Context;
  readonly since: number;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches concurrent requests to a peer, to share the overhead of a call. Without an unanswered
 * call, a request leaves at the end of the event loop turn; others wait for the first answer, 20 ms
 * at most.
 *
 * No request waits for the answer to another one of its call. If a response breaks off, a new call
 * sends the unanswered requests under the retry policy of a single call.
 */
export class RequestBatcher<Request, Answer> {
  readonly #options: RequestBatcherOptions<Request, Answer>;
  readonly #most: number;
  #waiting: Waiter<Request, Answer>[] = [];
  #waitingBytes = 0;
  #unanswered = 0;
  #leaving = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RequestBatcherOptions<Request, Answer>) {
    this.#options = options;
    this.#most = options.most ?? MOST;
  }

  /** Rejects as a single call would, at the latest after `timeoutMs`, and when `signal` aborts. */
  call(request: Request, { timeoutMs, signal }: BatchedCallOptions): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const deadline = since + timeoutMs;
      const bytes = maxBytesOf(request);
      const waiter = { request, bytes, caller: context.active(), since, deadline, signal, resolve, reject };
      this.#waiting.push(waiter);
      this.#waitingBytes += bytes;
      this.#advance();
    });
  }

  #advance(): void {
    const [oldest] = this.#waiting;
    if (!oldest || this.#leaving) return;
    const waitMs = LONGEST_WAIT_MS - (performance.now() - oldest.since);
    const isFull = this.#waiting.length >= this.#most || this.#waitingBytes >= MOST_BYTES;
    if (this.#unanswered < MOST_UNANSWERED || isFull || waitMs <= 0) {
      this.#leaving = true;
      setImmediate(() => this.#leave());
    } else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#advance();
      }, waitMs);
    }
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leaving = false;
    const batch = this.#take();
    const [first, ...others] = batch;
    this.#unanswered += 1;
    const answered = once(() => {
      clearTimeout(waitedEnough);
      this.#unanswered -= 1;
      this.#advance();
    });
    const waitedEnough = setTimeout(answered, LONGEST_WAIT_MS);
    if (first && others.length === 0) void this.#sendOne(first).finally(answered);
    else void this.#sendBatch(batch, answered).finally(answered);
    this.#advance();
  }

  #take(): Waiter<Request, Answer>[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((waiter, index) => {
      bytes += waiter.bytes;
      return index === this.#most || (index > 0 && bytes > MOST_BYTES);
    });
    const taken = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    this.#waitingBytes -= taken.reduce((sum, waiter) => sum + waiter.bytes, 0);
    return taken;
  }

  async #sendOne({ request, caller, deadline, signal, resolve, reject }: Waiter<Request, Answer>): Promise<void> {
    const options = { timeoutMs: Math.max(1, deadline - performance.now()), ...(signal && { signal }) };
    await context.with(caller, () => this.#options.callOne(request, options)).then(resolve, reject);
  }

  async #sendBatch(waiters: readonly Waiter<Request, Answer>[], answered: () => void): Promise<void> {
    const { typeName } = this.#options;
    const open = new Set(waiters);
    const endings = waiters.map((waiter) => endInTime(waiter, typeName, () => open.delete(waiter)));
    try {
      const callers = waiters.map(({ caller }) => caller);
      await inSharedSpan('share', callers, () => this.#exchange(open, answered));
    } catch (error) {
      for (const { reject } of open) reject(toOutage(typeName, error));
    } finally {
      for (const end of endings) end();
    }
  }

  async #exchange(open: Set<Waiter<Request, Answer>>, answered: () => void, attempts = 0): Promise<void> {
    const waiters = [...open];
    if (waiters.length === 0) return;
    const timeoutMs = Math.max(1, Math.max(...waiters.map(({ deadline }) => deadline)) - performance.now());
    const options = { timeoutMs, contextValues: withPriorAttempts(attempts) };
    const requests = waiters.map(({ request }) => request);
    try {
      for await (const known of this.#options.callBatch(requests, options)) {
        answered();
        for (const one of known) {
          const waiter = waiters[one.index];
          if (waiter && open.delete(waiter)) settle(waiter, one);
        }
      }
    } catch (error) {
      const made = error instanceof ConnectError ? priorAttemptsOf(error) : undefined;
      if (made === undefined) throw error;
      return await this.#exchange(open, answered, made);
    }
    if (open.size > 0) throw new ConnectError('not every request was answered', Code.Internal);
  }
}

/** Ends one request at its own deadline or abort; the shared call continues for the others. */
function endInTime<Request, Answer>(
  { deadline, signal, reject }: Waiter<Request, Answer>,
  typeName: string,
  forget: () => void,
) {
  const giveUp = (error: ConnectError) => {
    forget();
    reject(toOutage(typeName, error));
  };
  const late = () => giveUp(new ConnectError('no answer in time', Code.DeadlineExceeded));
  const left = () => giveUp(ConnectError.from(signal?.reason, Code.Canceled));
  const timer = setTimeout(late, deadline - performance.now());
  if (signal?.aborted) left();
  signal?.addEventListener('abort', left, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', left);
  };
}

function settle<Answer>({ resolve, reject }: Waiter<unknown, Answer>, one: BatchAnswer<Answer>): void {
  if ('answer' in one) resolve(one.answer);
  else reject(errorOfRefusal(one.refusal));
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
