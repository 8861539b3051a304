import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { Batcher, settleInOrder } from '@ces/chassis/service/batcher';
import type { Posting } from '../allowance/posting.ts';
import { isOperationTaken } from '../db/hold.ts';
import { type ApplyDependencies, applyPostings } from './apply.ts';
import { BalanceCache } from './balance-cache.ts';
import type { PostingResult } from './result.ts';

const MAX_BATCH = 200;
/** One works while the next waits for the row lock; more would only hold connections. */
const MAX_IN_FLIGHT = 2;
const COLLECT_MS = 5;
/** Beyond this many waiting postings, the ledger refuses more. */
const MAX_WAITING = 2_000;
const RETRIES = 3;

export type Post = (subscriptionId: bigint, posting: Posting) => Promise<PostingResult>;

/**
 * Keeps the order of arrival. Subscriptions do not wait for one another, and postings of one
 * operation never share a transaction (decision 0007).
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

/** Separately after a failure, so that only the faulty one fails. */
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

/** Looks for a row only after the insert fails: nearly every operation is new. */
async function applyWithRetry(dependencies: ApplyDependencies, subscriptionId: bigint, postings: readonly Posting[]) {
  for (let retries = 0; ; retries += 1) {
    try {
      return await applyPostings(dependencies, subscriptionId, postings, retries > 0);
    } catch (error) {
      if (!isOperationTaken(error) || retries === RETRIES) throw error;
    }
  }
}
