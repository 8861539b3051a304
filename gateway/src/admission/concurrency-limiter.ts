import { AdaptiveLimit } from './adaptive-limit.ts';
import { BurstWaits, type WaitSettings } from './burst-waits.ts';
import { TooManyCalls } from './delayed-rejection.ts';
import { FairQueue } from './fair-queue.ts';

export interface ConcurrencySettings extends WaitSettings {
  /** Calls that may run at once on any machine. */
  readonly leastCallsAtWork: number;
  /** Calls that may run at once on none. */
  readonly callsInFlight: number;
  /** How much longer than without load a call may take before fewer are admitted, in percent. */
  readonly latencyTolerance: number;
}

export interface LimitedCall {
  readonly accountId: bigint;
  /** Calls of one action are compared with each other. */
  readonly action: string;
  /** Whether the client has hung up. */
  isGone?(): boolean;
}

/** What a call runs in. */
interface Slot {
  /** Calls that ran when it was taken, this one among them. */
  readonly running: number;
  release(): void;
}

interface WaitingCall {
  readonly call: LimitedCall;
  readonly since: number;
  readonly admit: (slot: Slot) => void;
  readonly reject: (error: TooManyCalls) => void;
}

/** The share of the slots that stays free for other accounts when one takes all it can. */
const SHARE_KEPT_FREE = 0.2;
/** A call that takes so many times its baseline latency waits for something itself, and its slot is released early. */
const STALLED_TIMES = 8;
const STALLED_AT_LEAST_MS = 250;
const STALLED_AT_MOST_MS = 2_000;
/** A call that has waited so many times longer than it may is rejected when a slot comes free. */
const LATE_TIMES = 1.5;
/** Calls that weigh in how long one holds its slot. */
const MEMORY = 16;

/**
 * Runs as many calls at once as the services were seen to answer without slowing down, account by account in turn, and
 * rejects with service_unavailable what would wait too long: a burst may wait a while, a line that never ends may not
 * (promise R24, decision 0031). It bounds latency; `CallLimits` bounds memory.
 */
export class ConcurrencyLimiter {
  readonly #now: () => number;
  readonly #limit: AdaptiveLimit;
  readonly #queue = new FairQueue<WaitingCall>();
  readonly #bursts: BurstWaits;
  readonly #runningByAccount = new Map<bigint, number>();
  #running = 0;
  /** Milliseconds a call holds its slot, on average. */
  #heldMs = 0;

  constructor(settings: ConcurrencySettings, now: () => number) {
    this.#now = now;
    this.#bursts = new BurstWaits(settings, now);
    this.#limit = new AdaptiveLimit({
      least: settings.leastCallsAtWork,
      most: settings.callsInFlight,
      tolerance: 1 + settings.latencyTolerance / 100,
      now,
    });
  }

  get state(): { readonly running: number; readonly waiting: number; readonly limit: number } {
    return { running: this.#running, waiting: this.#queue.size, limit: this.#limit.current };
  }

  /**
   * Runs a call when there is a slot for it, or throws TooManyCalls. `isWhole` says of an answer whether it took the
   * work of its action, so that replays do not pass for speed.
   */
  async run<T>(call: LimitedCall, begin: () => Promise<T>, isWhole: (answer: T) => boolean): Promise<T> {
    const slot = await this.#slotFor(call);
    const begun = this.#now();
    try {
      const answer = await begin();
      if (isWhole(answer)) this.#limit.observe(call.action, this.#now() - begun, slot.running);
      return answer;
    } finally {
      slot.release();
    }
  }

  async #slotFor(call: LimitedCall): Promise<Slot> {
    const { accountId } = call;
    const waiting = this.#queue.lengthOf(accountId);
    if (waiting === 0 && this.#hasRoom() && this.#runningOf(accountId) < this.#accountShare()) return this.#take(call);
    this.#limit.signalOverload();
    this.#bursts.noteWaiting(accountId);
    const wait = (this.#heldMs / this.#limit.current) * (waiting + 1) * this.#queue.accountsWith(accountId);
    if (wait > this.#longestWaitMs(accountId)) throw tooManyCalls(wait);
    return await new Promise((admit, reject) => {
      this.#queue.add(accountId, { call, since: this.#now(), admit, reject });
    });
  }

  #take({ accountId, action }: LimitedCall): Slot {
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
    const stalled = setTimeout(release, this.#stalledMs(action)).unref();
    return { running: this.#running, release };
  }

  #release(accountId: bigint): void {
    this.#running -= 1;
    const others = this.#runningOf(accountId) - 1;
    if (others > 0) this.#runningByAccount.set(accountId, others);
    else this.#runningByAccount.delete(accountId);
    while (this.#hasRoom()) {
      const next = this.#queue.take((account) => this.#runningOf(account), this.#accountShare());
      if (!next) return;
      this.#bursts.noteWaiting(next.call.accountId);
      if (this.#isTooLate(next)) next.reject(tooManyCalls(this.#now() - next.since));
      else next.admit(this.#take(next.call));
    }
  }

  /** Others came since, and made the line longer than it was; or the client no longer waits for the answer. */
  #isTooLate({ call, since }: WaitingCall): boolean {
    return call.isGone?.() || this.#now() - since > LATE_TIMES * this.#longestWaitMs(call.accountId);
  }

  #longestWaitMs(accountId: bigint): number {
    return this.#bursts.longestWaitMs(accountId, this.#queue.accountsWith(accountId));
  }

  #runningOf(accountId: bigint): number {
    return this.#runningByAccount.get(accountId) ?? 0;
  }

  #hasRoom(): boolean {
    return this.#running < this.#limit.current;
  }

  /** Slots that one account may have. */
  #accountShare(): number {
    return Math.max(1, Math.floor(this.#limit.current * (1 - SHARE_KEPT_FREE)));
  }

  #stalledMs(action: string): number {
    const baselineMs = this.#limit.baselineMs(action) ?? 0;
    return Math.min(STALLED_AT_MOST_MS, Math.max(STALLED_AT_LEAST_MS, baselineMs * STALLED_TIMES));
  }
}

function tooManyCalls(waitMs: number): TooManyCalls {
  return new TooManyCalls('service_unavailable', 'The service has too much to do now; try again with the same key.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
