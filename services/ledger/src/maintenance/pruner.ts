import { inTransactionAfter, type Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { lockSubscription, readStanding, writeStanding } from '../db/balance-snapshot.ts';
import { findLeftBehind, pruneMovements } from '../db/retention.ts';
import { Pace, repeat } from './repeat.ts';

/** Rows of a statement: it locks nothing that a movement needs, and is over in milliseconds. */
const BATCH = 500;
const EVERY_MS = 3_600_000;

/** Takes movements that are no longer kept (decisions.md, Time), some at a time; returns how many went. */
export async function prune(pool: Pool, keptDays: number, signal: AbortSignal): Promise<number> {
  const pace = new Pace(signal);
  let pruned = 0;
  for (let taken = BATCH; taken === BATCH; ) {
    await pace.keep();
    for (const subscriptionId of await findLeftBehind(pool, keptDays, BATCH)) await letLeave(pool, subscriptionId);
    taken = await pruneMovements(pool, keptDays, BATCH);
    pruned += taken;
  }
  return pruned;
}

/** Moves counters and tails of a quiet subscription to now, as its next movement would. */
async function letLeave(pool: Pool, subscriptionId: bigint): Promise<void> {
  await inTransactionAfter(
    pool,
    async (client) => {
      const [, subscription] = await Promise.all([
        lockSubscription(client, subscriptionId),
        readStanding(client, subscriptionId),
      ]);
      return subscription;
    },
    async (client, subscription) => {
      if (subscription) await writeStanding(client, subscription, subscription.standing, 0);
    },
  );
}

/** Prunes every hour. */
export function startPruner(pool: Pool, logger: Logger, keptDays: number): AsyncDisposable {
  const pass = async (signal: AbortSignal) => {
    const pruned = await prune(pool, keptDays, signal);
    if (pruned > 0) logger.info({ pruned }, 'movements that are no longer kept are gone');
  };
  return repeat('pruning', EVERY_MS, pass, logger);
}
