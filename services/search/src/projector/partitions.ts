import type { FeedPartition } from '../index/observation-index.ts';

/**
 * The multiplier is 2⁶⁴ divided by the golden ratio (Fibonacci hashing): ids in any arithmetic
 * sequence spread evenly.
 */
const SPREAD = 0x9e3779b97f4a7c15n;
const BITS = 64;
const LOWER_BITS = 33n;

/** Exactly one of `of` partitions owns an id. The result is the same in every release. */
export function ownsId({ partition, of }: FeedPartition, id: bigint): boolean {
  if (of === 1) return true;
  const mixed = BigInt.asUintN(BITS, id * SPREAD) >> LOWER_BITS;
  return mixed % BigInt(of) === BigInt(partition);
}

/** The holder of this partition also does work on the whole index. */
export function leadsIndex({ partition }: FeedPartition): boolean {
  return partition === 0;
}

/**
 * The first partition's lease has the same name for any number of partitions, so only one process
 * leads the index.
 */
export function leaseOf(lease: string, { partition, of }: FeedPartition): string {
  return partition === 0 ? lease : `${lease}-${partition}-of-${of}`;
}
