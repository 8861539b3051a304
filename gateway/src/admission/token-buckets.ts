import { LRUCache } from 'lru-cache';

export interface BucketOptions {
  /** Tokens that come back a second. */
  readonly perSecond: number;
  /** Tokens a full bucket holds. */
  readonly burst: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Buckets kept at most; a forgotten one is full again. */
const CAPACITY = 20_000;

/** One token bucket for each owner: an address, a credential, an operation. */
export class TokenBuckets {
  readonly #buckets = new LRUCache<string, Bucket>({ max: CAPACITY });
  readonly #options: BucketOptions;

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  /** Takes a token; returns 0, or the whole seconds until there is one. */
  take(owner: string): number {
    const wait = this.secondsUntilToken(owner);
    if (wait === 0) this.#fill(owner).tokens -= 1;
    return wait;
  }

  /** 0 when there is a token, else the whole seconds until there is one. */
  secondsUntilToken(owner: string): number {
    const missing = 1 - this.#fill(owner).tokens;
    return missing <= 0 ? 0 : Math.ceil(missing / this.#options.perSecond);
  }

  #fill(owner: string): Bucket {
    const { perSecond, burst, now } = this.#options;
    const at = now();
    const bucket = this.#buckets.get(owner) ?? { tokens: burst, filledAt: at };
    bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = at;
    this.#buckets.set(owner, bucket);
    return bucket;
  }
}
