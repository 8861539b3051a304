import type { FeedRange } from '../../observation-index.ts';

/**
 * Tracks whether everything that a reader has sent is in every shard copy. This is unknown after a
 * failed batch and at start, because the previous process may have failed.
 */
export interface ReplicationTracker {
  /**
   * The answer is valid for one lease and one call. Call `confirm` after the next batch succeeds.
   */
  consume(range: FeedRange, fence: bigint): boolean;
  confirm(range: FeedRange, fence: bigint): void;
}

export function createReplicationTracker(): ReplicationTracker {
  const fences = new Map<string, bigint>();
  const keyOf = ({ feed, partition }: FeedRange) => `${feed} ${partition?.partition ?? 0} ${partition?.of ?? 1}`;
  return {
    consume(range, fence) {
      const key = keyOf(range);
      const isReplicated = fences.get(key) === fence;
      fences.delete(key);
      return isReplicated;
    },
    confirm(range, fence) {
      fences.set(keyOf(range), fence);
    },
  };
}
