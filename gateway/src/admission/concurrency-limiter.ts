import os from 'node:os';
import { TooManyCalls } from './delayed-rejection.ts';
import { FairQueue } from './fair-queue.ts';
import { LastCalls } from './last-calls.ts';

export interface ConcurrencySettings {
  /** 0: two for each processor. */
  readonly maxConcurrentCalls: number;
  /** Least maximum wait for a slot, however many accounts wait. */
  readonly callWaitMs: number;
  /** Longest wait while only one account waits; divided by the number of waiting accounts. */
  readonly burstWaitMs: number;
}

export interface LimitedCall {
  readonly accountId: bigint;
  isGone?(): boolean;
}

interface WaitingCall {
  readonly call: LimitedCall;
  readonly since: number;
  readonly admit: (release: () => void) => void;
  readonly reject: (error: TooManyCalls) => void;
}

/**
 * A longer call mostly waits for something else. A shorter bound would free slots of slow machines
 * and limit nothing (decision 0009).
 */
const LONGEST_HOLD_MS = 200;
/** Share of one account: while no other calls; while others call; if it has waiting calls too. */
const SHARE_ONLY_ACTIVE = 3 / 4;
const SHARE = 1 / 2;
const SHARE_WITH_QUEUE = 1 / 4;

/**
 * Calls beyond an account's share wait in its queue, which lowers the share: only this account pays
 * for its excess (promise R24, decision 0009). Bounds latency; `CallLimits` bounds memory.
 */
export class ConcurrencyLimiter {
  readonly #settings: ConcurrencySettings;
  readonly #now: () => number;
  readonly #slots: number;
  readonly #queue = new FairQueue<WaitingCall>();
  readonly #lastCalls = new LastCalls();
  readonly #runningByAccount = new Map<bigint, number>();
  #running = 0;

  constructor(settings: ConcurrencySettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
    this.#slots = settings.maxConcurrentCalls || 2 * os.availableParallelism();
  }

  get state(): { readonly running: number; readonly waiting: number; readonly limit: number } {
    return { running: this.#running, waiting: this.#queue.size, limit: this.#slots };
  }

  async run<T>(call: LimitedCall, work: (releaseSlot: () => void) => Promise<T>): Promise<T> {
    this.#lastCalls.note(call.accountId, this.#now());
    const release = await this.#slotFor(call);
    try {
      return await work(release);
    } finally {
      release();
    }
  }

  async #slotFor(call: LimitedCall): Promise<() => void> {
    const { accountId } = call;
    const mayHave =
      this.#queue.lengthOf(accountId) === 0 && this.#runningOf(accountId) < this.#mostOf(accountId, SHARE);
    if (mayHave && this.#hasRoom()) return this.#take(accountId);
    return await new Promise((admit, reject) => {
      this.#queue.add(accountId, { call, since: this.#now(), admit, reject });
    });
  }

  #take(accountId: bigint): () => void {
    this.#running += 1;
    this.#runningByAccount.set(accountId, this.#runningOf(accountId) + 1);
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      clearTimeout(longest);
      this.#release(accountId);
    };
    const longest = setTimeout(release, LONGEST_HOLD_MS).unref();
    return release;
  }

  #release(accountId: bigint): void {
    this.#running -= 1;
    const others = this.#runningOf(accountId) - 1;
    if (others > 0) this.#runningByAccount.set(accountId, others);
    else this.#runningByAccount.delete(accountId);
    while (this.#hasRoom()) {
      const next = this.#queue.take(
        (account) => this.#runningOf(account),
        (account) => this.#mostOf(account, SHARE_WITH_QUEUE),
      );
      if (!next) return;
      if (this.#isTooLate(next)) next.reject(tooManyCalls(this.#now() - next.since));
      else next.admit(this.#take(next.call.accountId));
    }
  }

  #isTooLate({ call, since }: WaitingCall): boolean {
    return call.isGone?.() || this.#now() - since > this.#longestWaitMs(call.accountId);
  }

  #longestWaitMs(accountId: bigint): number {
    const { callWaitMs, burstWaitMs } = this.#settings;
    return Math.max(callWaitMs, burstWaitMs / this.#queue.accountsWith(accountId));
  }

  #mostOf(accountId: bigint, share: number): number {
    const isOnlyActiveAccount = this.#lastCalls.isOnlyActiveAccount(accountId, this.#now());
    return Math.max(1, Math.floor(this.#slots * (isOnlyActiveAccount ? SHARE_ONLY_ACTIVE : share)));
  }

  #runningOf(accountId: bigint): number {
    return this.#runningByAccount.get(accountId) ?? 0;
  }

  #hasRoom(): boolean {
    return this.#running < this.#slots;
  }
}

function tooManyCalls(waitMs: number): TooManyCalls {
  return new TooManyCalls('service_unavailable', 'The service has too much to do now; try again with the same key.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
