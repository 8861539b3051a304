import { Lru } from '../lru.ts';

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

/** One token bucket a key. */
export class TokenBuckets {
  readonly #buckets = new Lru<string, Bucket>(CAPACITY);
  readonly #options: BucketOptions;

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  /** Takes a token; returns 0, or the whole seconds until there is one. */
  take(key: string): number {
    const wait = this.secondsUntilToken(key);
    if (wait === 0) this.#fill(key).tokens -= 1;
    return wait;
  }

  /** 0 when there is a token, else the whole seconds until there is one. */
  secondsUntilToken(key: string): number {
    const missing = 1 - this.#fill(key).tokens;
    return missing <= 0 ? 0 : Math.ceil(missing / this.#options.perSecond);
  }

  #fill(key: string): Bucket {
    const { perSecond, burst, now } = this.#options;
    const at = now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, filledAt: at };
    bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = at;
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
