import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import { inTransactionAfter, type Pool } from '@ces/chassis/postgres/pool';
import { lockSubscription, readSnapshot } from '../db/balance-snapshot.ts';
import { findStaleSubscriptions, recordPruning } from '../db/retention.ts';
import { NO_POSTINGS, writePostings } from '../db/write-postings.ts';
import { DutyCycle } from './duty-cycle.ts';
import { type LeaderTaskDependencies, MAINTENANCE_LEASE } from './leader-tasks.ts';

type Pruning = Pick<LeaderTaskDependencies, 'pool' | 'logger'>;

const BATCH = 500;
const EVERY_MS = 3_600_000;

/**
 * Subtracts expired postings from counters of quiet subscriptions, so that partitions can go
 * (decision 0013). A failing subscription keeps its postings.
 */
export async function prune({ pool, logger }: Pruning, keptDays: number, signal: AbortSignal): Promise<void> {
  const dutyCycle = new DutyCycle(signal);
  await recordPruning(pool, keptDays);
  for (let stale: readonly bigint[] = [], after = 0n; ; after = stale.at(-1) ?? after) {
    stale = await findStaleSubscriptions(pool, keptDays, after, BATCH);
    if (stale.length === 0) break;
    for (const subscriptionId of stale) {
      await dutyCycle.rest();
      await advanceTails(pool, subscriptionId).catch((error: unknown) => {
        logger.warn(
          { err: error, subscription_id: String(subscriptionId) },
          'what is no longer kept of a subscription stays',
        );
      });
    }
  }
}

async function advanceTails(pool: Pool, subscriptionId: bigint): Promise<void> {
  await inTransactionAfter(
    pool,
    async (client) => {
      const [, subscription] = await Promise.all([
        lockSubscription(client, subscriptionId),
        readSnapshot(client, subscriptionId),
      ]);
      return subscription;
    },
    async (client, subscription) => {
      if (subscription) await writePostings(client, subscription, { ...NO_POSTINGS, balance: subscription.balance });
    },
  );
}

export function startPruner({ pool, leases, logger }: LeaderTaskDependencies, keptDays: number): AsyncDisposable {
  return startLeaderTask(leases, {
    name: 'pruning',
    lease: MAINTENANCE_LEASE,
    everyMs: EVERY_MS,
    immediately: true,
    run: ({ signal }) => prune({ pool, logger }, keptDays, signal),
    logger,
  });
}
