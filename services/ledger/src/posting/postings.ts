import type { Pool } from '@ces/chassis/postgres/pool';
import { Batcher } from '@ces/chassis/service/batcher';
import { LRUCache } from 'lru-cache';
import { findOtherOperation, type NamedOperation } from '../allowance/mismatch.ts';
import type { Admission, Hold } from '../allowance/posting.ts';
import { RELEASED_BEFORE } from '../allowance/refusal.ts';
import { NO_UNITS, type Units } from '../allowance/units.ts';
import { leaveTombstone, readHolds } from '../db/hold.ts';
import { createGroupCommit } from './group-commit.ts';
import { PostingFault, PostingMismatch, type PostingResult } from './result.ts';

const MAX_CACHED = 50_000;
const MAX_READ = 1_000;

/**
 * Idempotent by operation. Throws PostingMismatch for another operation's number, PostingFault for
 * a bug of the caller.
 */
export interface Postings {
  admit(admission: Admission): Promise<PostingResult>;
  settle(operation: NamedOperation, units: Units): Promise<PostingResult>;
  release(operation: NamedOperation): Promise<PostingResult>;
}

export function createPostings(pool: Pool): Postings {
  const post = createGroupCommit(pool);
  const readHold = createHoldReader(pool);
  const subscriptions = new LRUCache<bigint, bigint>({ max: MAX_CACHED });
  return {
    async admit(admission) {
      const result = await post(admission.subscriptionId, admission);
      const { state, subscriptionId } = result.hold;
      // A refusal is deleted after an hour and never settled.
      if (state !== 'refused' && subscriptionId !== undefined) subscriptions.set(admission.operationId, subscriptionId);
      return result;
    },
    async settle(operation, units) {
      const { operationId } = operation;
      const cached = subscriptions.get(operationId);
      const agrees = [0n, cached].includes(operation.subscriptionId);
      const subscriptionId =
        cached !== undefined && agrees ? cached : subscriptionOf(operation, await readHold(operationId));
      return await post(subscriptionId, { ...operation, kind: 'settle', units });
    },
    async release(operation) {
      const hold =
        (await readHold(operation.operationId)) ?? (await leaveTombstone(pool, operation, NO_UNITS, RELEASED_BEFORE));
      if (hold.subscriptionId !== undefined) return await post(hold.subscriptionId, { ...operation, kind: 'release' });
      const field = findOtherOperation(operation, hold, undefined);
      if (field) throw new PostingMismatch('release', operation, field);
      return { hold };
    },
  };
}

/** Reads of one event-loop turn share a statement. */
function createHoldReader(pool: Pool): (operationId: bigint) => Promise<Hold | undefined> {
  const reads = new Batcher<bigint, Hold | undefined>({
    maxItems: MAX_READ,
    maxWaitMs: 0,
    run: async (entries) => {
      const holds = await readHolds(
        pool,
        entries.map(({ item }) => item),
      );
      for (const entry of entries) entry.resolve(holds.get(entry.item));
    },
  });
  return (operationId) => reads.add(operationId);
}

function subscriptionOf(operation: NamedOperation, hold: Hold | undefined): bigint {
  if (hold?.subscriptionId !== undefined) return hold.subscriptionId;
  const field = hold && findOtherOperation(operation, hold, undefined);
  if (field) throw new PostingMismatch('settle', operation, field);
  const { operationId } = operation;
  throw new PostingFault(`settle: operation ${operationId} ${hold ? `is ${hold.state}` : 'has no hold'}`);
}
