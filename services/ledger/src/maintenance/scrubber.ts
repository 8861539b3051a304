import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { findNextSubscription, readScrubPosition, type ScrubPosition, saveScrubPosition } from '../db/drift-check.ts';
import { ENTRIES_PER_TOTAL } from '../db/entry-total.ts';
import { ALL_TIME, findNextEntries, type Range } from '../db/range.ts';
import { insertSuspectRange } from '../db/suspect-range.ts';
import { findUnmatchedPostings } from '../db/verification/unmatched-postings.ts';
import { findWrongTotals } from '../db/verification/wrong-totals.ts';
import { type LeaderTaskDependencies, MAINTENANCE_LEASE } from './leader-tasks.ts';

const EVERY_MS = 5_000;
/** With few entries each, a hundred thousand take nine hours. */
const SUBSCRIPTIONS_A_STEP = 16;

/**
 * Rereads in endless rounds, to find damage. Wrong ranges are suspect for the reconciler;
 * unreadable ones are logged and skipped.
 */
export async function scrubNext(pool: Pool, logger: Logger): Promise<void> {
  let position = await readScrubPosition(pool);
  let left = ENTRIES_PER_TOTAL;
  for (let subscriptions = 0; subscriptions < SUBSCRIPTIONS_A_STEP && left > 0; subscriptions += 1) {
    const subscriptionId = position.subscriptionId || (await findNextSubscription(pool, 0n));
    if (subscriptionId === undefined) return;
    const { next, entries } = await scrubFrom(pool, { ...position, subscriptionId }).catch(async (error: unknown) => {
      logger.warn({ err: error, subscription_id: String(subscriptionId) }, 'postings could not be read again');
      return { next: await startOfNext(pool, subscriptionId), entries: ENTRIES_PER_TOTAL };
    });
    await saveScrubPosition(pool, next);
    if (next.subscriptionId === 0n) return;
    position = next;
    left -= entries;
  }
}

async function scrubFrom(
  pool: Pool,
  { subscriptionId, at }: ScrubPosition,
): Promise<{ readonly next: ScrubPosition; readonly entries: number }> {
  const next = await findNextEntries(pool, subscriptionId, at, ENTRIES_PER_TOTAL);
  const isLast = !next || next.entries < ENTRIES_PER_TOTAL;
  const range: Range = isLast ? { after: at, until: ALL_TIME.until } : next;
  for (const find of [findWrongTotals, findUnmatchedPostings])
    if ((await find(pool, subscriptionId, range)).length > 0)
      await insertSuspectRange(pool, { subscriptionId, ...range });
  return {
    next: isLast ? await startOfNext(pool, subscriptionId) : { subscriptionId, at: range.until },
    entries: next?.entries ?? 0,
  };
}

async function startOfNext(pool: Pool, subscriptionId: bigint): Promise<ScrubPosition> {
  return { subscriptionId: (await findNextSubscription(pool, subscriptionId)) ?? 0n, at: ALL_TIME.after };
}

export function startScrubber({ pool, leases, logger }: LeaderTaskDependencies): AsyncDisposable {
  return startLeaderTask(leases, {
    name: 'scrubbing',
    lease: MAINTENANCE_LEASE,
    everyMs: EVERY_MS,
    run: () => scrubNext(pool, logger),
    logger,
  });
}
