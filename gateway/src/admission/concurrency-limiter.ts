import { Lru } from '../lru.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import { TooMuch } from './delayed-rejection.ts';
import { FairQueue } from './fair-queue.ts';

export interface WorkGateSettings {
  /** Calls that may be at work on any machine. */
  readonly leastCallsAtWork: number;
  /** Calls that may be at work on none. */
  readonly callsInFlight: number;
  /** How much longer than without load a call may take before fewer are let in, in percent. */
  readonly latencyTolerance: number;
  /** How long a call may wait for its turn, in milliseconds. */
  readonly callWaitMs: number;
  /** How long it may in the first so many milliseconds in which calls of its account wait, by the accounts that do. */
  readonly burstWaitMs: number;
}

export interface Work {
  readonly accountId: bigint;
  /** Calls of one action are compared with each other. */
  readonly action: string;
  /** Whether nobody waits for the answer any more. */
  isGone?(): boolean;
}

/** A call at work, among so many. */
interface Place {
  readonly amongst: number;
  leave(): void;
}

interface Waiting {
  readonly work: Work;
  readonly since: number;
  readonly take: (place: Place) => void;
  readonly refuse: (error: TooMuch) => void;
}

/** Calls of an account that have to wait, with no rest between them. */
interface Burst {
  readonly begunAt: number;
  readonly waitedAt: number;
}

/** So long without a call that had to wait, and an account may have another burst. */
const RESTED_MS = 10_000;
/** Accounts whose bursts are known at most; a forgotten one is rested. */
const ACCOUNTS = 20_000;
/** Of the places, the part that is free for whoever comes next when one account takes all it can. */
const KEPT_FREE = 0.2;
/** A call that takes so many times its calm latency waits for something itself, and its place is given on. */
const STUCK_TIMES = 8;
const STUCK_AT_LEAST_MS = 250;
const STUCK_AT_MOST_MS = 2_000;
/** A call that has waited so many times longer than it may is refused when its turn comes. */
const LATE = 1.5;
/** Calls that weigh in what one holds its place for. */
const MEMORY = 16;

/**
 * Lets as many calls work as the services were seen to answer without slowing down, account by account in turn, and
 * refuses with service_unavailable what would wait too long: a burst may wait a while, a line that never ends may not
 * (reliability.md, R24). It bounds latency; `Limits` bounds memory.
 */
export class WorkGate {
  readonly #settings: WorkGateSettings;
  readonly #now: () => number;
  readonly #limit: AdaptiveLimit;
  readonly #queue = new FairQueue<Waiting>();
  readonly #atWork = new Map<bigint, number>();
  readonly #bursts = new Lru<bigint, Burst>(ACCOUNTS);
  #allAtWork = 0;
  /** Milliseconds a call holds its place, on average. */
  #heldMs = 0;

  constructor(settings: WorkGateSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
    this.#limit = new AdaptiveLimit({
      least: settings.leastCallsAtWork,
      most: settings.callsInFlight,
      tolerance: 1 + settings.latencyTolerance / 100,
      now,
    });
  }

  get state(): { readonly atWork: number; readonly waiting: number; readonly limit: number } {
    return { atWork: this.#allAtWork, waiting: this.#queue.size, limit: this.#limit.current };
  }

  /**
   * Works when it is this call's turn, or throws TooMuch. `isWhole` says of an answer whether it took the
   * work of its action, so that replays do not pass for speed.
   */
  async run<T>(work: Work, begin: () => Promise<T>, isWhole: (answer: T) => boolean): Promise<T> {
    const place = await this.#placeFor(work);
    const begun = this.#now();
    try {
      const answer = await begin();
      if (isWhole(answer)) this.#limit.observe(work.action, this.#now() - begun, place.amongst);
      return answer;
    } finally {
      place.leave();
    }
  }

  async #placeFor(work: Work): Promise<Place> {
    const { accountId } = work;
    const waiting = this.#queue.lengthOf(accountId);
    if (waiting === 0 && this.#hasRoom() && this.#atWorkOf(accountId) < this.#mostOfOne()) return this.#take(work);
    this.#limit.press();
    this.#noteWaiting(accountId);
    const wait = (this.#heldMs / this.#limit.current) * (waiting + 1) * this.#queue.accountsWith(accountId);
    if (wait > this.#longestWait(accountId)) throw tooMuch(wait);
    return await new Promise((take, refuse) => {
      this.#queue.add(accountId, { work, since: this.#now(), take, refuse });
    });
  }

  #take({ accountId, action }: Work): Place {
    const begun = this.#now();
    this.#allAtWork += 1;
    this.#atWork.set(accountId, this.#atWorkOf(accountId) + 1);
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      clearTimeout(stuck);
      this.#heldMs += (this.#now() - begun - this.#heldMs) / MEMORY;
      this.#leave(accountId);
    };
    const stuck = setTimeout(leave, this.#stuckMs(action)).unref();
    return { amongst: this.#allAtWork, leave };
  }

  #leave(accountId: bigint): void {
    this.#allAtWork -= 1;
    const others = this.#atWorkOf(accountId) - 1;
    if (others > 0) this.#atWork.set(accountId, others);
    else this.#atWork.delete(accountId);
    while (this.#hasRoom()) {
      const next = this.#queue.take((account) => this.#atWorkOf(account), this.#mostOfOne());
      if (!next) return;
      this.#noteWaiting(next.work.accountId);
      if (this.#isTooLate(next)) next.refuse(tooMuch(this.#now() - next.since));
      else next.take(this.#take(next.work));
    }
  }

  /** Others came since, and made the line longer than it was; or nobody waits for the answer. */
  #isTooLate({ work, since }: Waiting): boolean {
    return work.isGone?.() || this.#now() - since > LATE * this.#longestWait(work.accountId);
  }

  #atWorkOf(accountId: bigint): number {
    return this.#atWork.get(accountId) ?? 0;
  }

  #hasRoom(): boolean {
    return this.#allAtWork < this.#limit.current;
  }

  #mostOfOne(): number {
    return Math.max(1, Math.floor(this.#limit.current * (1 - KEPT_FREE)));
  }

  /** A call of the account has had to wait until now. */
  #noteWaiting(accountId: bigint): void {
    const now = this.#now();
    const last = this.#bursts.get(accountId);
    const begunAt = last && now - last.waitedAt < RESTED_MS ? last.begunAt : now;
    this.#bursts.set(accountId, { begunAt, waitedAt: now });
  }

  /** How long a call of an account that waits may do so. */
  #longestWait(accountId: bigint): number {
    const { burstWaitMs, callWaitMs } = this.#settings;
    const { begunAt } = this.#bursts.get(accountId) ?? { begunAt: this.#now() };
    if (this.#now() - begunAt >= burstWaitMs) return callWaitMs;
    return Math.max(burstWaitMs / this.#queue.accountsWith(accountId), callWaitMs);
  }

  #stuckMs(action: string): number {
    const calm = this.#limit.calmMs(action) ?? 0;
    return Math.min(STUCK_AT_MOST_MS, Math.max(STUCK_AT_LEAST_MS, calm * STUCK_TIMES));
  }
}

function tooMuch(waitMs: number): TooMuch {
  return new TooMuch('service_unavailable', 'The service has too much to do now; try again with the same key.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
