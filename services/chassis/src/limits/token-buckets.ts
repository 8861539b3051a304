import { LRUCache } from 'lru-cache';
import type { Rate } from './token-lease.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

export class TokenBuckets {
  readonly #buckets: LRUCache<string, Bucket>;
  readonly #now: () => number;

  /** An owner evicted beyond `capacity` starts with a full bucket. */
  constructor(capacity: number, now: () => number) {
    this.#buckets = new LRUCache({ max: capacity });
    this.#now = now;
  }

  take(owner: string, rate: Rate): number {
    const bucket = this.#fill(owner, rate);
    if (bucket.tokens < 1) return ((1 - bucket.tokens) * 1_000) / perSecondOf(rate);
    bucket.tokens -= 1;
    return 0;
  }

  refund(owner: string): void {
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
