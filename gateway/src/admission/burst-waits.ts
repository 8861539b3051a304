import { LRUCache } from 'lru-cache';

export interface WaitSettings {
  /** How long a call may wait for a slot, in milliseconds. */
  readonly callWaitMs: number;
  /** How long it may in the first so many milliseconds in which calls of its account wait, shared by such accounts. */
  readonly burstWaitMs: number;
}

/** Calls of an account that have to wait, with no rest between them. */
interface Burst {
  readonly begunAt: number;
  readonly waitedAt: number;
}

/** So long without a call that had to wait, and an account may have another burst. */
const REST_MS = 10_000;
/** Accounts whose bursts are known at most; a forgotten one is rested. */
const CAPACITY = 20_000;

/** How long calls may wait: in a burst of their account longer than while it always has some waiting. */
export class BurstWaits {
  readonly #bursts = new LRUCache<bigint, Burst>({ max: CAPACITY });
  readonly #settings: WaitSettings;
  readonly #now: () => number;

  constructor(settings: WaitSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** A call of the account has had to wait until now. */
  noteWaiting(accountId: bigint): void {
    const now = this.#now();
    const last = this.#bursts.get(accountId);
    const begunAt = last && now - last.waitedAt < REST_MS ? last.begunAt : now;
    this.#bursts.set(accountId, { begunAt, waitedAt: now });
  }

  /** How long a call of an account may wait, in milliseconds, while so many accounts have calls that do. */
  longestWaitMs(accountId: bigint, waitingAccounts: number): number {
    const { burstWaitMs, callWaitMs } = this.#settings;
    const { begunAt } = this.#bursts.get(accountId) ?? { begunAt: this.#now() };
    if (this.#now() - begunAt >= burstWaitMs) return callWaitMs;
    return Math.max(burstWaitMs / waitingAccounts, callWaitMs);
  }
}
