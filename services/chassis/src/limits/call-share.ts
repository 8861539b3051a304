/** Calls that come back, and calls that may be made at once: all whole, at least 1. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
  /** In place of `perSecond`, where calls come back so slowly that none may be lost. */
  readonly perHour?: number;
}

/** What is asked of the installation for one owner; see CallShareWish of the contract. */
export interface CallShareWish extends Rate {
  readonly owner: string;
  readonly needed: number;
  readonly ahead: number;
  readonly unused: number;
}

interface CallShareAnswer {
  readonly taken: number;
  readonly waitMs: number;
}

/** Calls that were taken and not made may be made for so long, in milliseconds; then they are given back. */
const KEPT_MS = 1_000;
/** After this time it is not known any more that nothing was left, in milliseconds. */
const FORGOTTEN_MS = 2_000;
/** An owner who calls again so soon after an answer is taken for ahead, in milliseconds. */
const QUICK_MS = 500;
/** Of an owner for whom no more is taken ahead, which lasts about a second, the next call is not there before it was asked for `soon`. */
const SLOW_AHEAD = 12;
/** After a refusal nothing is asked for so long at least, in milliseconds: a flood costs a question each time, not each call. */
const REFUSED_MS = 100;

/** What this process has taken of one owner's calls, and who waits for more. Times are milliseconds that never go back. */
export class CallShare {
  readonly #owner: string;
  readonly #waiting: ((waitMs: number) => void)[] = [];
  #rate: Rate;
  /** Taken and not made. */
  #calls = 0;
  #keptUntil = 0;
  #unused = 0;
  /** Made before they were taken: at most one, and none more until it is. */
  #debt = 0;
  /** Whether the last answer left a call for anybody. */
  #isAnyLeft = false;
  /** Taken beyond what is needed: doubled as often as they are used up, halved as often as some are left. */
  #ahead = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #refusedUntil = Number.NEGATIVE_INFINITY;

  constructor(owner: string, rate: Rate) {
    this.#owner = owner;
    this.#rate = rate;
  }

  /**
   * Makes a call out of what was taken: 0, or milliseconds until there may be one again; undefined when that must be asked. One call is
   * made `onCredit`, and taken afterwards, where some were left when it was last asked, or that is long ago.
   */
  make(now: number, rate: Rate, onCredit: boolean): number | undefined {
    this.#rate = rate;
    this.#giveUpOld(now);
    if (this.#calls > 0) {
      this.#calls -= 1;
      if (this.#calls === 0) this.#takeMoreAhead();
      return 0;
    }
    if (now < this.#refusedUntil) return this.#refusedUntil - now;
    const mayOwe = this.#debt === 0 && (this.#isAnyLeft || now - this.#answeredAt >= FORGOTTEN_MS);
    if (!onCredit || !mayOwe) return undefined;
    this.#debt = 1;
    if (now - this.#answeredAt < QUICK_MS) this.#takeMoreAhead();
    return 0;
  }

  /** One call was taken and not made after all. */
  giveBack(now: number): void {
    this.#calls += 1;
    this.#keptUntil = Math.max(this.#keptUntil, now + KEPT_MS);
  }

  /** Resolves with 0 when the next answer leaves a call, else with the milliseconds to wait. */
  wait(): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * When something is to be asked: now, where somebody waits or, all being used up, the next call would; soon, what is owed and what
   * calls to come will need.
   */
  need(now: number): 'now' | 'soon' | undefined {
    const isUsedUp = this.#calls === 0 && this.#ahead > 0 && now >= this.#refusedUntil;
    if (this.hasWaiting || (isUsedUp && this.#ahead > SLOW_AHEAD)) return 'now';
    return isUsedUp || this.#debt > 0 ? 'soon' : undefined;
  }

  wish(): CallShareWish {
    const unused = Math.min(this.#unused, this.#rate.burst);
    this.#unused = 0;
    return {
      owner: this.#owner,
      needed: this.#waiting.length + this.#debt,
      ahead: this.#ahead,
      unused,
      ...this.#rate,
    };
  }

  /** Serves those who wait, who came first first, with what was taken and not owed. What is owed stays so until it is taken. */
  answer({ taken, waitMs }: CallShareAnswer, now: number): void {
    this.#answeredAt = now;
    this.#isAnyLeft = waitMs === 0;
    const paid = Math.min(taken, this.#debt);
    this.#debt -= paid;
    this.#calls += taken - paid;
    this.#keptUntil = now + KEPT_MS;
    const served = this.#waiting.splice(0, this.#calls);
    this.#calls -= served.length;
    for (const resolve of served) resolve(0);
    if (served.length > 0 && this.#calls === 0) this.#takeMoreAhead();
    // Those who came while it was asked wait for the next answer, unless there is nothing left.
    if (waitMs === 0) return;
    this.#refusedUntil = now + Math.max(REFUSED_MS, waitMs);
    for (const resolve of this.#waiting.splice(0)) resolve(waitMs);
  }

  /** Nobody can be asked: `judge` says of each that waits how long it has to wait still, in milliseconds. */
  fail(judge: (owner: string, rate: Rate) => number): void {
    for (; this.#debt > 0; this.#debt -= 1) judge(this.#owner, this.#rate);
    for (const resolve of this.#waiting.splice(0)) resolve(judge(this.#owner, this.#rate));
  }

  /** What a process takes ahead and does not use is back with the next question; a bucket that fills in an hour misses it for long. */
  #takeMoreAhead(): void {
    if (this.#rate.perHour !== undefined) return;
    this.#ahead = Math.min(Math.ceil(this.#rate.burst / 4), Math.max(1, this.#ahead * 2));
  }

  #giveUpOld(now: number): void {
    if (this.#calls === 0 || now < this.#keptUntil) return;
    this.#unused += this.#calls;
    this.#calls = 0;
    this.#ahead = Math.floor(this.#ahead / 2);
  }
}
