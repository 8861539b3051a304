import os from 'node:os';
import { BurstWaits, type WaitSettings } from './burst-waits.ts';
import { TooManyCalls } from './delayed-rejection.ts';
import { FairQueue } from './fair-queue.ts';
import { LastCalls } from './last-calls.ts';

export interface ConcurrencySettings extends WaitSettings {
  /** Calls at work at once; 0: twice as many as this machine has processors. */
  readonly callsAtWork: number;
}

export interface LimitedCall {
  readonly accountId: bigint;
  /** Whether the client has hung up. */
  isGone?(): boolean;
}

interface WaitingCall {
  readonly call: LimitedCall;
  readonly since: number;
  readonly admit: (release: () => void) => void;
  readonly reject: (error: TooManyCalls) => void;
}

/** A call that is at work for longer waits for something itself, and its slot is given on, in milliseconds. */
const STALLED_MS = 1_000;
/** Of the slots, what an account may have at once: while nobody else calls; beside others with nothing waiting; and with a line. */
const SHARE_ALONE = 3 / 4;
const SHARE = 1 / 2;
const SHARE_WITH_LINE = 1 / 4;
/** Calls that weigh in how long one holds its slot. */
const MEMORY = 16;

/**
 * Works on so many calls at once and no more, account by account in turn. While others call too, an account that asks for more than
 * its share has a line, and while it has a line a smaller share: what it asks for beyond costs it alone (promise R24, decision 0088).
 * What would wait too long is service_unavailable: a burst may wait a while, a line that never ends may not. It bounds latency;
 * `CallLimits` bounds memory.
 */
export class ConcurrencyLimiter {
  readonly #now: () => number;
  readonly #slots: number;
  readonly #queue = new FairQueue<WaitingCall>();
  readonly #bursts: BurstWaits;
  readonly #lastCalls = new LastCalls();
  readonly #runningByAccount = new Map<bigint, number>();
  #running = 0;
  /** Milliseconds a call holds its slot, on average. */
  #heldMs = 0;

  constructor(settings: ConcurrencySettings, now: () => number) {
    this.#now = now;
    this.#bursts = new BurstWaits(settings, now);
    this.#slots = settings.callsAtWork || 2 * os.availableParallelism();
  }

  get state(): { readonly running: number; readonly waiting: number; readonly limit: number } {
    return { running: this.#running, waiting: this.#queue.size, limit: this.#slots };
  }

  /** Runs a call when it is its turn, or throws TooManyCalls. */
  async run<T>(call: LimitedCall, work: () => Promise<T>): Promise<T> {
    this.#lastCalls.note(call.accountId, this.#now());
    const release = await this.#slotFor(call);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #slotFor(call: LimitedCall): Promise<() => void> {
    const { accountId } = call;
    const waiting = this.#queue.lengthOf(accountId);
    if (waiting === 0 && this.#hasRoom() && this.#runningOf(accountId) < this.#mostOf(accountId, SHARE))
      return this.#take(accountId);
    this.#bursts.noteWaiting(accountId);
    const atOnce = Math.min(
      this.#mostOf(accountId, SHARE_WITH_LINE),
      this.#slots / this.#queue.accountsWith(accountId),
    );
    const wait = (this.#heldMs / atOnce) * (waiting + 1);
    if (wait > this.#longestWaitMs(accountId)) throw tooManyCalls(wait);
    return await new Promise((admit, reject) => {
      this.#queue.add(accountId, { call, since: this.#now(), admit, reject });
    });
  }

  #take(accountId: bigint): () => void {
    const begun = this.#now();
    this.#running += 1;
    this.#runningByAccount.set(accountId, this.#runningOf(accountId) + 1);
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      clearTimeout(stalled);
      this.#heldMs += (this.#now() - begun - this.#heldMs) / MEMORY;
      this.#release(accountId);
    };
    const stalled = setTimeout(release, STALLED_MS).unref();
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
        (account) => this.#mostOf(account, SHARE_WITH_LINE),
      );
      if (!next) return;
      this.#bursts.noteWaiting(next.call.accountId);
      if (this.#isTooLate(next)) next.reject(tooManyCalls(this.#now() - next.since));
      else next.admit(this.#take(next.call.accountId));
    }
  }

  /** Others came since, and made the line longer than it was; or the client no longer waits for the answer. */
  #isTooLate({ call, since }: WaitingCall): boolean {
    return call.isGone?.() || this.#now() - since > this.#longestWaitMs(call.accountId);
  }

  #longestWaitMs(accountId: bigint): number {
    return this.#bursts.longestWaitMs(accountId, this.#queue.accountsWith(accountId));
  }

  /** Slots that an account may have at once, `share` of all beside others. */
  #mostOf(accountId: bigint, share: number): number {
    const isAlone = this.#lastCalls.isAlone(accountId, this.#now());
    return Math.max(1, Math.floor(this.#slots * (isAlone ? SHARE_ALONE : share)));
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
