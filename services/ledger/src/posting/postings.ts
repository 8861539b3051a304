import { type Pool, violatedConstraint } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Admission, Hold, Posting } from '../allowance/posting.ts';
import { RELEASED_BEFORE } from '../allowance/refusal.ts';
import { NO_UNITS, type Units } from '../allowance/units.ts';
import { leaveTombstone, readHolds } from '../db/hold.ts';
import { applyPostings } from './apply.ts';
import { HoldFinder } from './hold-finder.ts';
import { KeyedBatcher } from './keyed-batcher.ts';
import { PostingFault, type PostingResult } from './result.ts';

/** How often a batch is tried when another process was first with one of its operations. */
const ATTEMPTS = 3;

export interface PostingOptions {
  /** Postings that share a commit at most; 1 turns sharing off. */
  readonly maxBatch?: number;
}

/** Moves units; every function is idempotent by operation and throws PostingFault for what no correct caller asks. */
export interface Postings {
  /** Holds or charges units, or refuses for good. */
  admit(admission: Admission): Promise<PostingResult>;
  settle(operationId: bigint, units: Units): Promise<PostingResult>;
  release(operationId: bigint): Promise<PostingResult>;
}

export function createPostings(pool: Pool, options: PostingOptions = {}): Postings {
  const batcher = new KeyedBatcher<Posting, PostingResult>({
    ...options,
    run: (subscriptionId, postings) => applyIsolatingFailures(pool, subscriptionId, postings),
    identityOf: ({ operationId }) => operationId,
    overflow: () => fail(FailureCode.SERVICE_UNAVAILABLE, 'Too many calls wait for this subscription; try again.'),
  });
  const holds = new HoldFinder<Hold, bigint>({ read: (operationIds) => readHolds(pool, operationIds) });
  return {
    async admit(admission) {
      const result = await batcher.add(admission.subscriptionId, admission);
      if (result.hold.subscriptionId !== undefined) holds.remember(admission.operationId, result.hold.subscriptionId);
      return result;
    },
    async settle(operationId, units) {
      const subscriptionId = holds.recall(operationId) ?? subscriptionOf(operationId, await holds.find(operationId));
      return await batcher.add(subscriptionId, { kind: 'settle', operationId, units });
    },
    async release(operationId) {
      const hold =
        (await holds.find(operationId)) ?? (await leaveTombstone(pool, operationId, NO_UNITS, RELEASED_BEFORE));
      if (hold.subscriptionId === undefined) return { hold };
      return await batcher.add(hold.subscriptionId, { kind: 'release', operationId });
    },
  };
}

function subscriptionOf(operationId: bigint, hold: Hold | undefined): bigint {
  if (hold?.subscriptionId !== undefined) return hold.subscriptionId;
  throw new PostingFault(`settle: operation ${operationId} ${hold ? `is ${hold.state}` : 'has no hold'}`);
}

/** Applies a batch; when it fails for good, each posting by itself, so that only the one that cannot be written fails. */
async function applyIsolatingFailures(
  pool: Pool,
  subscriptionId: bigint,
  postings: readonly Posting[],
): Promise<readonly (PostingResult | Error)[]> {
  try {
    return await applyWithRetry(pool, subscriptionId, postings);
  } catch (error) {
    if (postings.length === 1 || isTransient(error)) throw error;
    const results: (PostingResult | Error)[] = [];
    for (const posting of postings)
      results.push(...(await applyWithRetry(pool, subscriptionId, [posting]).catch((own: Error) => [own])));
    return results;
  }
}

async function applyWithRetry(pool: Pool, subscriptionId: bigint, postings: readonly Posting[]) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyPostings(pool, subscriptionId, postings);
    } catch (error) {
      if (violatedConstraint(error) !== 'hold_pkey' || attempt === ATTEMPTS) throw error;
    }
  }
}
