import type { FeedPart } from '../index/observation-index.ts';

/**
 * The multiplier is 2⁶⁴ divided by the golden ratio (Fibonacci hashing): ids in any arithmetic
 * sequence spread evenly.
 */
const SPREAD = 0x9e3779b97f4a7c15n;
const BITS = 64;
const LOWER_BITS = 33n;

/** Exactly one of `of` parts owns an id. The result is the same in every release. */
export function fallsTo({ part, of }: FeedPart, id: bigint): boolean {
  if (of === 1) return true;
  const mixed = BigInt.asUintN(BITS, id * SPREAD) >> LOWER_BITS;
  return mixed % BigInt(of) === BigInt(part);
}

/** The holder of this part also does work on the whole index. */
export function leadsIndex({ part }: FeedPart): boolean {
  return part === 0;
}

/**
 * The first part's lease has the same name for any number of parts, so only one process leads the
 * index.
 */
export function leaseOf(lease: string, { part, of }: FeedPart): string {
  return part === 0 ? lease : `${lease}-${part}-of-${of}`;
}
