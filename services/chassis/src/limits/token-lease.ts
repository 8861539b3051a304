/** Whole numbers of at least 1. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
  /** Replaces `perSecond` where the bucket refills too slowly to lose a call. */
  readonly perHour?: number;
}

export interface TokenLeaseRequest extends Rate {
  readonly owner: string;
  readonly needed: number;
  readonly prefetch: number;
  readonly unused: number;
}

interface TokenLeaseAnswer {
  readonly taken: number;
  readonly waitMs: number;
}

const KEPT_MS = 1_000;
const FORGOTTEN_MS = 2_000;
/** An owner who uses up an answer within this time gets a larger prefetch. */
const QUICK_MS = 500;
/** Up to this size, a batched request normally returns before the next call. */
const SMALL_PREFETCH = 12;
/** Bounds what a flood costs. */
const REFUSED_MS = 100;

/** One owner's calls, and those that wait for more. Times are monotonic milliseconds. */
export class TokenLease {
  readonly #owner: string;
  readonly #waiting: ((waitMs: number) => void)[] = [];
  #rate: Rate;
  #calls = 0;
  #keptUntil = 0;
  #unused = 0;
  /** Calls made before the ledger granted them: at most one. */
  #overdraft = 0;
  #isAnyLeft = false;
  /** Doubles when used up and halves when some is left. */
  #prefetch = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #refusedUntil = Number.NEGATIVE_INFINITY;

  constructor(owner: string, rate: Rate) {
    this.#owner = owner;
    this.#rate = rate;
  }

  /**
   * Returns 0, the milliseconds to wait, or undefined if the ledger must decide. One `overdraft`
   * call is possible if the last answer left some or is old.
   */
  take(now: number, rate: Rate, overdraft: boolean): number | undefined {
    this.#rate = rate;
    this.#giveUpOld(now);
    if (this.#calls > 0) {
      this.#calls -= 1;
      if (this.#calls === 0) this.#prefetchMore();
      return 0;
    }
    if (now < this.#refusedUntil) return this.#refusedUntil - now;
    const mayOverdraw = this.#overdraft === 0 && (this.#isAnyLeft || now - this.#answeredAt >= FORGOTTEN_MS);
    if (!overdraft || !mayOverdraw) return undefined;
    this.#overdraft = 1;
    if (now - this.#answeredAt < QUICK_MS) this.#prefetchMore();
    return 0;
  }

  refund(now: number): void {
    this.#calls += 1;
    this.#keptUntil = Math.max(this.#keptUntil, now + KEPT_MS);
  }

  wait(): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** `now`: a call waits, or the next one would. `soon`: a batched request is enough. */
  need(now: number): 'now' | 'soon' | undefined {
    const isUsedUp = this.#calls === 0 && this.#prefetch > 0 && now >= this.#refusedUntil;
    if (this.hasWaiting || (isUsedUp && this.#prefetch > SMALL_PREFETCH)) return 'now';
    return isUsedUp || this.#overdraft > 0 ? 'soon' : undefined;
  }

  request(): TokenLeaseRequest {
    const unused = Math.min(this.#unused, this.#rate.burst);
    this.#unused = 0;
    return {
      owner: this.#owner,
      needed: this.#waiting.length + this.#overdraft,
      prefetch: this.#prefetch,
      unused,
      ...this.#rate,
    };
  }

  answer({ taken, waitMs }: TokenLeaseAnswer, now: number): void {
    this.#answeredAt = now;
    this.#isAnyLeft = waitMs === 0;
    const paid = Math.min(taken, this.#overdraft);
    this.#overdraft -= paid;
    this.#calls += taken - paid;
    this.#keptUntil = now + KEPT_MS;
    const served = this.#waiting.splice(0, this.#calls);
    this.#calls -= served.length;
    for (const resolve of served) resolve(0);
    if (served.length > 0 && this.#calls === 0) this.#prefetchMore();
    if (waitMs === 0) return;
    this.#refusedUntil = now + Math.max(REFUSED_MS, waitMs);
    for (const resolve of this.#waiting.splice(0)) resolve(waitMs);
  }

  /** `judge` returns the milliseconds that a call must still wait. */
  fail(judge: (owner: string, rate: Rate) => number): void {
    for (; this.#overdraft > 0; this.#overdraft -= 1) judge(this.#owner, this.#rate);
    for (const resolve of this.#waiting.splice(0)) resolve(judge(this.#owner, this.#rate));
  }

  /** Hourly buckets recover too slowly from calls taken and not used. */
  #prefetchMore(): void {
    if (this.#rate.perHour !== undefined) return;
    this.#prefetch = Math.min(Math.ceil(this.#rate.burst / 4), Math.max(1, this.#prefetch * 2));
  }

  #giveUpOld(now: number): void {
    if (this.#calls === 0 || now < this.#keptUntil) return;
    this.#unused += this.#calls;
    this.#calls = 0;
    this.#prefetch = Math.floor(this.#prefetch / 2);
  }
}
