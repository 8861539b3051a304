import type { FeedRange } from '../../observation-index.ts';

/**
 * Tracks whether everything that a reader has sent is in every shard copy. This is unknown after a
 * failed batch and at start, because the previous process may have failed.
 */
export interface Certainty {
  /** The answer is valid for one lease and one call. Call `keep` after the next batch succeeds. */
  take(range: FeedRange, fence: bigint): boolean;
  keep(range: FeedRange, fence: bigint): void;
}

export function createCertainty(): Certainty {
  const fences = new Map<string, bigint>();
  const keyOf = ({ feed, partition }: FeedRange) => `${feed} ${partition?.partition ?? 0} ${partition?.of ?? 1}`;
  return {
    take(range, fence) {
      const key = keyOf(range);
      const isCertain = fences.get(key) === fence;
      fences.delete(key);
      return isCertain;
    },
    keep(range, fence) {
      fences.set(keyOf(range), fence);
    },
  };
}
