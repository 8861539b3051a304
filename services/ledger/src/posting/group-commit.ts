import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { Batcher, settleInOrder } from '@ces/chassis/service/batcher';
import type { Posting } from '../allowance/posting.ts';
import { isOperationTaken } from '../db/hold.ts';
import { type ApplyDependencies, applyPostings } from './apply.ts';
import { BalanceCache } from './balance-cache.ts';
import type { PostingResult } from './result.ts';

const MAX_BATCH = 200;
/**
 * Concurrent batches of a subscription: one works while the next waits for the row lock. More would
 * only hold connections.
 */
const MAX_IN_FLIGHT = 2;
/** How long postings gather while one batch works, in milliseconds. */
const COLLECT_MS = 5;
/** Postings of a subscription that wait; beyond this, they are refused. */
const MAX_WAITING = 2_000;
const RETRIES = 3;

export type Post = (subscriptionId: bigint, posting: Posting) => Promise<PostingResult>;

/**
 * Group commit: postings of a subscription share a transaction, in order of arrival. Subscriptions
 * do not wait for one another. Postings of one operation are in different transactions (decision
 * 0007).
 */
export function createGroupCommit(pool: Pool): Post {
  const dependencies = { pool, balanceCache: new BalanceCache() };
  const queues = new Map<bigint, Batcher<Posting, PostingResult>>();
  const open = (subscriptionId: bigint) => {
    const queue = new Batcher<Posting, PostingResult>({
      maxItems: MAX_BATCH,
      maxInFlight: MAX_IN_FLIGHT,
      maxWaitMs: COLLECT_MS,
      maxWaiting: MAX_WAITING,
      identityOf: ({ operationId }) => operationId,
      run: async (entries) => {
        const postings = entries.map(({ item }) => item);
        settleInOrder(entries, await applyIsolatingFailures(dependencies, subscriptionId, postings));
      },
      onIdle: () => queues.delete(subscriptionId),
    });
    queues.set(subscriptionId, queue);
    return queue;
  };
  return (subscriptionId, posting) => (queues.get(subscriptionId) ?? open(subscriptionId)).add(posting);
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
