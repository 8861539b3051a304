import type { FeedPart } from '../index/observation-index.ts';

/** An odd number without a pattern in its bits: multiplied by it, ids in a row, or of any step, fall evenly. */
const SPREAD = 0x9e3779b97f4a7c15n;
const BITS = 64;
const LOWER_BITS = 33n;

/** Whether the document of an id is this part's: of as many parts as there are, exactly one has it, in every release. */
export function fallsTo({ part, of }: FeedPart, id: bigint): boolean {
  if (of === 1) return true;
  const mixed = BigInt.asUintN(BITS, id * SPREAD) >> LOWER_BITS;
  return mixed % BigInt(of) === BigInt(part);
}

/** Whoever has this part also does what concerns the whole index. */
export function leadsIndex({ part }: FeedPart): boolean {
  return part === 0;
}

/** The lease of a part. That of the first is the same for any number of parts, so that one process alone ever leads the index. */
export function leaseOf(lease: string, { part, of }: FeedPart): string {
  return part === 0 ? lease : `${lease}-${part}-of-${of}`;
}
