import type { FeedRange } from '../../observation-index.ts';

/**
 * Whether all that whoever reads a list has sent so far is in every copy of its shards. Nobody knows after a batch that did not end well, nor
 * at the beginning: the process before may have ended in one.
 */
export interface Certainty {
  /** Under a lead, and only once: whoever is certain says so again when the next batch has ended well. */
  take(range: FeedRange, fence: bigint): boolean;
  keep(range: FeedRange, fence: bigint): void;
}

export function createCertainty(): Certainty {
  const fences = new Map<string, bigint>();
  const keyOf = ({ feed, part }: FeedRange) => `${feed} ${part?.part ?? 0} ${part?.of ?? 1}`;
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
