import { LRUCache } from 'lru-cache';
import type { Rate } from './call-share.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** One token bucket for each owner, in this process alone. */
export class TokenBuckets {
  readonly #buckets: LRUCache<string, Bucket>;
  readonly #now: () => number;

  /** Keeps at most `capacity` buckets; a forgotten one is full again. `now` gives milliseconds that never go back. */
  constructor(capacity: number, now: () => number) {
    this.#buckets = new LRUCache({ max: capacity });
    this.#now = now;
  }

  /** Takes a token; returns 0, or the milliseconds until there is one. */
  take(owner: string, rate: Rate): number {
    const bucket = this.#fill(owner, rate);
    if (bucket.tokens < 1) return ((1 - bucket.tokens) * 1_000) / perSecondOf(rate);
    bucket.tokens -= 1;
    return 0;
  }

  /** A token was taken for nothing; a bucket never holds more than its burst. */
  giveBack(owner: string): void {
    const bucket = this.#buckets.get(owner);
    if (bucket) bucket.tokens += 1;
  }

  #fill(owner: string, rate: Rate): Bucket {
    const { burst } = rate;
    const at = this.#now();
    const bucket = this.#buckets.get(owner) ?? { tokens: burst, filledAt: at };
    bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.filledAt) / 1_000) * perSecondOf(rate));
    bucket.filledAt = at;
    this.#buckets.set(owner, bucket);
    return bucket;
  }
}

function perSecondOf({ perSecond, perHour }: Rate): number {
  return perHour === undefined ? perSecond : perHour / 3_600;
}
