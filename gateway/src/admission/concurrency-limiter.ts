import os from 'node:os';
import { TooManyCalls } from './delayed-rejection.ts';
import { FairQueue } from './fair-queue.ts';
import { LastCalls } from './last-calls.ts';

export interface ConcurrencySettings {
  /** Calls at work at once; 0: twice as many as this machine has processors. */
  readonly callsAtWork: number;
  /** How long a call may wait for a slot at least, however many accounts have calls that wait, in milliseconds. */
  readonly callWaitMs: number;
  /** How long it may while no other account has such calls, in milliseconds; the accounts that have some share it. */
  readonly burstWaitMs: number;
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

/**
 * Longest hold of a slot, in milliseconds: a call that takes longer mostly waits for something that nobody told the gateway of. Were it
 * shorter, calls that work on a slow machine would lose their slots too, and nothing would bound how many work (decision 0009).
 */
const LONGEST_HOLD_MS = 200;
/** Of the slots, what an account may have at once: while nobody else calls; beside others with nothing waiting; and with a line. */
const SHARE_ALONE = 3 / 4;
const SHARE = 1 / 2;
const SHARE_WITH_LINE = 1 / 4;

/**
 * Works on so many calls at once and no more, account by account in turn. While others call too, an account that asks for more than
 * its share has a line, and while it has a line a smaller share: what it asks for beyond costs it alone (promise R24, decision 0009).
 * A call that only waits has no slot. What has waited for one too long is service_unavailable. It bounds latency; `CallLimits` bounds
 * memory.
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
    this.#slots = settings.callsAtWork || 2 * os.availableParallelism();
  }

  get state(): { readonly running: number; readonly waiting: number; readonly limit: number } {
    return { running: this.#running, waiting: this.#queue.size, limit: this.#slots };
  }

  /**
   * Runs a call when it is its turn, or throws TooManyCalls. From when `work` calls `releaseSlot` on, the call only waits: another one
   * has its slot.
   */
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
        (account) => this.#mostOf(account, SHARE_WITH_LINE),
      );
      if (!next) return;
      if (this.#isTooLate(next)) next.reject(tooManyCalls(this.#now() - next.since));
      else next.admit(this.#take(next.call.accountId));
    }
  }

  /** Others came since, and made the line longer than it was; or the client no longer waits for the answer. */
  #isTooLate({ call, since }: WaitingCall): boolean {
    return call.isGone?.() || this.#now() - since > this.#longestWaitMs(call.accountId);
  }

  #longestWaitMs(accountId: bigint): number {
    const { callWaitMs, burstWaitMs } = this.#settings;
    return Math.max(callWaitMs, burstWaitMs / this.#queue.accountsWith(accountId));
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
