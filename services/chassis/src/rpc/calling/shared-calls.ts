import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { type CallOptions, Code, ConnectError } from '@connectrpc/connect';
import { type Context, context } from '@opentelemetry/api';
import { inSharedSpan } from '../../telemetry/span.ts';
import { errorOfRefusal, unanswered } from '../refusal.ts';

/** Requests that share a call at most, unless a peer takes fewer. */
const MOST = 200;
/** Young calls under way, none of them answered yet, beside which no further one begins before its time. */
const MOST_UNANSWERED = 1;
/** How long a request waits at most for a call that it can share, and others for the first answer of a call, in milliseconds. */
const LONGEST_WAIT_MS = 20;
/** How long a peer that does not know the method is called for each request by itself, in milliseconds. */
const FORGETTING_MS = 60_000;

/** What became of one of several requests. */
export type Answered<Answer> =
  | { readonly index: number; readonly answer: Answer }
  | { readonly index: number; readonly refusal: Refusal };

export interface SharedCallsOptions<Request, Answer> {
  /** The service, as outages name it. */
  readonly typeName: string;
  /** A request in a call of its own. */
  readonly alone: (request: Request, options: CallOptions) => Promise<Answer>;
  /** Several in one call, which answers each once, as they become known. */
  readonly together: (requests: readonly Request[], options: CallOptions) => AsyncIterable<readonly Answered<Answer>[]>;
  /** Requests that share a call at most; default 200. */
  readonly most?: number;
}

export interface SharedCallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

interface Waiter<Request, Answer> {
  readonly request: Request;
  readonly caller: Context;
  /** By `performance.now()`. */
  readonly since: number;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Requests to a peer that share its calls where there are many: what a call costs beside its work is then paid once for all. A request that
 * finds no call unanswered goes out at once, by itself or with those of the same turn of the event loop; others wait for the first
 * answer, 20 ms at most. No request waits for the answer to another of its call. A peer of the release before is called for each.
 */
export class SharedCalls<Request, Answer> {
  readonly #options: SharedCallsOptions<Request, Answer>;
  readonly #most: number;
  #waiting: Waiter<Request, Answer>[] = [];
  #unanswered = 0;
  #leaving = false;
  #timer: NodeJS.Timeout | undefined;
  #aloneUntil = 0;

  constructor(options: SharedCallsOptions<Request, Answer>) {
    this.#options = options;
    this.#most = options.most ?? MOST;
  }

  /** The answer to a request; rejects as its own call would, at the latest after `timeoutMs`, and once `signal` aborts. */
  call(request: Request, { timeoutMs, signal }: SharedCallOptions): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const deadline = since + timeoutMs;
      const waiter = { request, caller: context.active(), since, deadline, signal, resolve, reject };
      if (since < this.#aloneUntil) return void this.#sendAlone(waiter);
      this.#waiting.push(waiter);
      this.#advance();
    });
  }

  #advance(): void {
    const [oldest] = this.#waiting;
    if (!oldest || this.#leaving) return;
    const waitMs = LONGEST_WAIT_MS - (performance.now() - oldest.since);
    if (this.#unanswered < MOST_UNANSWERED || this.#waiting.length >= this.#most || waitMs <= 0) {
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
    const together = this.#waiting.splice(0, this.#most);
    const [first, ...others] = together;
    this.#unanswered += 1;
    const answered = once(() => {
      clearTimeout(waitedEnough);
      this.#unanswered -= 1;
      this.#advance();
    });
    const waitedEnough = setTimeout(answered, LONGEST_WAIT_MS);
    if (first && others.length === 0) void this.#sendAlone(first).finally(answered);
    else void this.#sendTogether(together, answered).finally(answered);
    this.#advance();
  }

  async #sendAlone({ request, caller, deadline, signal, resolve, reject }: Waiter<Request, Answer>): Promise<void> {
    const options = { timeoutMs: Math.max(1, deadline - performance.now()), ...(signal && { signal }) };
    await context.with(caller, () => this.#options.alone(request, options)).then(resolve, reject);
  }

  async #sendTogether(waiters: readonly Waiter<Request, Answer>[], answered: () => void): Promise<void> {
    const { typeName, together } = this.#options;
    const open = new Set(waiters.keys());
    const endings = waiters.map((waiter) => endInTime(waiter, typeName));
    const exchange = async () => {
      const timeoutMs = Math.max(1, Math.max(...waiters.map(({ deadline }) => deadline)) - performance.now());
      const requests = waiters.map(({ request }) => request);
      for await (const known of together(requests, { timeoutMs })) {
        answered();
        for (const one of known) if (open.delete(one.index)) settle(waiters[one.index], one);
      }
      if (open.size > 0) throw new ConnectError('not every request was answered', Code.Internal);
    };
    try {
      const callers = waiters.map(({ caller }) => caller);
      await inSharedSpan('share', callers, exchange);
    } catch (error) {
      const left = [...open].flatMap((index) => waiters[index] ?? []);
      if (error instanceof ConnectError && error.code === Code.Unimplemented) await this.#sendEachAlone(left);
      else for (const { reject } of left) reject(unanswered(typeName, error));
    } finally {
      for (const end of endings) end();
    }
  }

  async #sendEachAlone(waiters: readonly Waiter<Request, Answer>[]): Promise<void> {
    this.#aloneUntil = performance.now() + FORGETTING_MS;
    await Promise.all(waiters.map((waiter) => this.#sendAlone(waiter)));
  }
}

/** A request of a shared call is given up when its own caller would have given it up; the call goes on for the others. */
function endInTime<Request, Answer>({ deadline, signal, reject }: Waiter<Request, Answer>, typeName: string) {
  const giveUp = (error: ConnectError) => reject(unanswered(typeName, error));
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

function settle<Answer>(waiter: Waiter<unknown, Answer> | undefined, one: Answered<Answer>): void {
  if ('answer' in one) waiter?.resolve(one.answer);
  else waiter?.reject(errorOfRefusal(one.refusal));
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
