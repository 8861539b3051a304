import { inTransactionAfter, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import { findOtherOperation } from '../allowance/mismatch.ts';
import { balanceAfter, credentialOf, decide, type Hold, isAdmission, type Posting } from '../allowance/posting.ts';
import { SUBSCRIPTION_REFUSED } from '../allowance/refusal.ts';
import { NO_UNITS } from '../allowance/units.ts';
import { lockSubscription, readSnapshot, type SubscriptionSnapshot } from '../db/balance-snapshot.ts';
import { leaveTombstone, readHolds } from '../db/hold.ts';
import { readNextEntries } from '../db/next-entries.ts';
import { readStoredBalance, type StoredBalance } from '../db/stored-balance.ts';
import { type BalanceCache, unknownAfter } from './balance-cache.ts';
import { PostingMismatch, type PostingOutcome } from './result.ts';
import { type Step, writeSteps } from './write.ts';

export interface ApplyDependencies {
  readonly pool: Pool;
  readonly balanceCache: BalanceCache;
}

/**
 * Applies in order, with one lock and one commit (decision 0007). Without `lookingForHolds`
 * admissions count as new; else the write fails with `isOperationTaken`.
 */
export async function applyPostings(
  { pool, balanceCache }: ApplyDependencies,
  subscriptionId: bigint,
  postings: readonly Posting[],
  lookingForHolds: boolean,
): Promise<readonly PostingOutcome[]> {
  const lookedFor = lookingForHolds ? postings : postings.filter((posting) => !isAdmission(posting));
  return await inTransactionAfter(
    pool,
    (client) => readUnderLock(client, balanceCache, subscriptionId, postings, lookedFor),
    async (client, { subscription, ...known }, commit) =>
      subscription
        ? await writeSteps(client, subscription, decideAll(subscription, known, postings), commit)
        : await refuseAll(client, postings),
  );
}

interface Known {
  readonly holds: ReadonlyMap<bigint, Hold>;
  readonly activeCredentials: ReadonlySet<bigint>;
  readonly refusalsDeletedTo: bigint;
}

/** Uses one connection: statements after the lock see commits from before it. */
async function readUnderLock(
  client: Queryable,
  balanceCache: BalanceCache,
  subscriptionId: bigint,
  postings: readonly Posting[],
  lookedFor: readonly Posting[],
): Promise<Known & { readonly subscription: SubscriptionSnapshot | undefined }> {
  const operationIds = lookedFor.map(({ operationId }) => operationId);
  const credentialIds = new Set(postings.map(credentialOf).filter((id) => id !== 0n));
  const [, stored, holds] = await Promise.all([
    lockSubscription(client, subscriptionId),
    readStoredBalance(client, subscriptionId, [...credentialIds]),
    operationIds.length > 0 ? readHolds(client, operationIds) : new Map(),
  ]);
  const subscription = stored && (balanceCache.balanceOf(stored) ?? (await readWhole(client, balanceCache, stored)));
  const { activeCredentials = new Set<bigint>(), refusalsDeletedTo = 0n } = stored ?? {};
  return { subscription, holds, activeCredentials, refusalsDeletedTo };
}

/** Lets the database add up, and caches the entries that leave next. */
async function readWhole(
  client: Queryable,
  balanceCache: BalanceCache,
  stored: StoredBalance,
): Promise<SubscriptionSnapshot | undefined> {
  const tails = unknownAfter(stored);
  const oldestTail = Math.min(tails.window, tails.week, stored.intervals.period.tail);
  const [snapshot, next] = await Promise.all([
    readSnapshot(client, stored.subscriptionId),
    readNextEntries(client, stored.subscriptionId, tails, oldestTail),
  ]);
  if (snapshot) balanceCache.store(stored, snapshot, next);
  return snapshot;
}

function decideAll(
  subscription: SubscriptionSnapshot,
  { holds, activeCredentials, refusalsDeletedTo }: Known,
  postings: readonly Posting[],
): readonly Step[] {
  let { balance } = subscription;
  return postings.map((posting, ordinal) => {
    const credentialId = credentialOf(posting);
    const decision = decide(posting, {
      ...subscription,
      balance,
      hold: holds.get(posting.operationId),
      refusalsDeletedTo,
      credentialActive: credentialId === 0n || activeCredentials.has(credentialId),
    });
    balance = balanceAfter(balance, decision);
    return { posting, decision, balance, ordinal };
  });
}

async function refuseAll(client: Queryable, postings: readonly Posting[]): Promise<readonly PostingOutcome[]> {
  const results: PostingOutcome[] = [];
  for (const posting of postings) {
    const units = 'units' in posting ? posting.units : NO_UNITS;
    const hold = await leaveTombstone(client, posting, units, SUBSCRIPTION_REFUSED);
    const field = findOtherOperation(posting, hold, undefined);
    results.push(field ? new PostingMismatch(posting.kind, posting, field) : { hold });
  }
  return results;
}
