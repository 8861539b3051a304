import { inTransactionAfter, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import { findOtherOperation } from '../allowance/mismatch.ts';
import { balanceAfter, credentialOf, decide, type Hold, type Posting } from '../allowance/posting.ts';
import { SUBSCRIPTION_REFUSED } from '../allowance/refusal.ts';
import { NO_UNITS } from '../allowance/units.ts';
import { lockSubscription, readSnapshot, type SubscriptionSnapshot } from '../db/balance-snapshot.ts';
import { readActiveCredentials } from '../db/credential.ts';
import { leaveTombstone, readHolds } from '../db/hold.ts';
import { type Answered, PostingMismatch } from './result.ts';
import { type Step, writeSteps } from './write.ts';

/**
 * Applies postings of distinct operations in their order: one transaction, one lock, one commit (decision 0008).
 * A fault stays with its own posting.
 */
export async function applyPostings(
  pool: Pool,
  subscriptionId: bigint,
  postings: readonly Posting[],
): Promise<readonly Answered[]> {
  return await inTransactionAfter(
    pool,
    (client) => readUnderLock(client, subscriptionId, postings),
    async (client, { subscription, ...known }) =>
      subscription
        ? await writeSteps(client, subscription, decideAll(subscription, known, postings))
        : await refuseAll(client, postings),
  );
}

/** What is known of operations and credentials of a batch. */
interface Known {
  readonly holds: ReadonlyMap<bigint, Hold>;
  readonly activeCredentials: ReadonlySet<bigint>;
}

/** The statements run one after the other, so that those after the lock see what was committed before it was taken. */
async function readUnderLock(
  client: Queryable,
  subscriptionId: bigint,
  postings: readonly Posting[],
): Promise<Known & { readonly subscription: SubscriptionSnapshot | undefined }> {
  const operationIds = postings.map(({ operationId }) => operationId);
  const credentialIds = new Set(postings.map(credentialOf).filter((id) => id !== 0n));
  const [, subscription, holds, activeCredentials] = await Promise.all([
    lockSubscription(client, subscriptionId),
    readSnapshot(client, subscriptionId),
    readHolds(client, operationIds),
    readActiveCredentials(client, subscriptionId, [...credentialIds]),
  ]);
  return { subscription, holds, activeCredentials };
}

function decideAll(
  subscription: SubscriptionSnapshot,
  { holds, activeCredentials }: Known,
  postings: readonly Posting[],
): readonly Step[] {
  let { balance } = subscription;
  return postings.map((posting, ordinal) => {
    const credentialId = credentialOf(posting);
    const decision = decide(posting, {
      ...subscription,
      balance,
      hold: holds.get(posting.operationId),
      credentialActive: credentialId === 0n || activeCredentials.has(credentialId),
    });
    balance = balanceAfter(balance, decision);
    return { posting, decision, balance, ordinal };
  });
}

/** There is no such subscription: every operation that is new gets its tombstone. */
async function refuseAll(client: Queryable, postings: readonly Posting[]): Promise<readonly Answered[]> {
  const results: Answered[] = [];
  for (const posting of postings) {
    const units = 'units' in posting ? posting.units : NO_UNITS;
    const hold = await leaveTombstone(client, posting, units, SUBSCRIPTION_REFUSED);
    const field = findOtherOperation(posting, hold, undefined);
    results.push(field ? new PostingMismatch(posting.kind, posting, field) : { hold });
  }
  return results;
}
