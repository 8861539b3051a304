import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { findOtherOperation, type NamedOperation } from '../allowance/mismatch.ts';
import type { Admission, Hold, Posting } from '../allowance/posting.ts';
import { RELEASED_BEFORE } from '../allowance/refusal.ts';
import { NO_UNITS, type Units } from '../allowance/units.ts';
import { isOperationTaken, leaveTombstone, readHolds } from '../db/hold.ts';
import { type ApplyDependencies, applyPostings } from './apply.ts';
import { BalanceCache } from './balance-cache.ts';
import { HoldLoader } from './hold-loader.ts';
import { KeyedBatcher } from './keyed-batcher.ts';
import { PostingFault, PostingMismatch, type PostingResult } from './result.ts';

const RETRIES = 3;

export interface PostingOptions {
  readonly maxBatch?: number;
}

/**
 * Every method is idempotent by operation. It throws PostingMismatch if the number belongs to
 * another operation, and PostingFault for a call that no correct caller makes.
 */
export interface Postings {
  admit(admission: Admission): Promise<PostingResult>;
  settle(operation: NamedOperation, units: Units): Promise<PostingResult>;
  release(operation: NamedOperation): Promise<PostingResult>;
}

export function createPostings(pool: Pool, options: PostingOptions = {}): Postings {
  const dependencies = { pool, balanceCache: new BalanceCache() };
  const batcher = new KeyedBatcher<Posting, PostingResult>({
    ...options,
    run: (subscriptionId, postings) => applyIsolatingFailures(dependencies, subscriptionId, postings),
    identityOf: ({ operationId }) => operationId,
    overflow: () => fail(FailureCode.SERVICE_UNAVAILABLE, 'Too many calls wait for this subscription; try again.'),
  });
  const holds = new HoldLoader<Hold, bigint>({ read: (operationIds) => readHolds(pool, operationIds) });
  return {
    async admit(admission) {
      const result = await batcher.add(admission.subscriptionId, admission);
      const { state, subscriptionId } = result.hold;
      // A refusal is deleted after an hour and never settled, so caching it has no use.
      if (state !== 'refused' && subscriptionId !== undefined) holds.store(admission.operationId, subscriptionId);
      return result;
    },
    async settle(operation, units) {
      const { operationId } = operation;
      const cached = holds.peek(operationId);
      const agrees = [0n, cached].includes(operation.subscriptionId);
      const subscriptionId =
        cached !== undefined && agrees ? cached : subscriptionOf(operation, await holds.load(operationId));
      return await batcher.add(subscriptionId, { ...operation, kind: 'settle', units });
    },
    async release(operation) {
      const hold =
        (await holds.load(operation.operationId)) ?? (await leaveTombstone(pool, operation, NO_UNITS, RELEASED_BEFORE));
      if (hold.subscriptionId !== undefined)
        return await batcher.add(hold.subscriptionId, { ...operation, kind: 'release' });
      const field = findOtherOperation(operation, hold, undefined);
      if (field) throw new PostingMismatch('release', operation, field);
      return { hold };
    },
  };
}

function subscriptionOf(operation: NamedOperation, hold: Hold | undefined): bigint {
  if (hold?.subscriptionId !== undefined) return hold.subscriptionId;
  const field = hold && findOtherOperation(operation, hold, undefined);
  if (field) throw new PostingMismatch('settle', operation, field);
  const { operationId } = operation;
  throw new PostingFault(`settle: operation ${operationId} ${hold ? `is ${hold.state}` : 'has no hold'}`);
}

/** If a batch fails, applies each posting separately, so that only the faulty one fails. */
async function applyIsolatingFailures(
  dependencies: ApplyDependencies,
  subscriptionId: bigint,
  postings: readonly Posting[],
): Promise<readonly (PostingResult | Error)[]> {
  try {
    return await applyWithRetry(dependencies, subscriptionId, postings);
  } catch (error) {
    if (postings.length === 1 || isTransient(error)) throw error;
    const results: (PostingResult | Error)[] = [];
    for (const posting of postings)
      results.push(...(await applyWithRetry(dependencies, subscriptionId, [posting]).catch((own: Error) => [own])));
    return results;
  }
}

/** Nearly every operation is new, so this looks for a row only after the insert fails. */
async function applyWithRetry(dependencies: ApplyDependencies, subscriptionId: bigint, postings: readonly Posting[]) {
  for (let retries = 0; ; retries += 1) {
    try {
      return await applyPostings(dependencies, subscriptionId, postings, retries > 0);
    } catch (error) {
      if (!isOperationTaken(error) || retries === RETRIES) throw error;
    }
  }
}
