import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import { deleteUnusedCallLimits } from '../db/call-limit.ts';
import { DutyCycle } from '../maintenance/duty-cycle.ts';
import { type LeaderTaskDependencies, MAINTENANCE_LEASE } from '../maintenance/leader-tasks.ts';

const BATCH = 1_000;
const EVERY_MS = 60_000;
/** Longer than any bucket needs to refill, and than slots last. */
const UNUSED_MS = 3_600_000;

/** Invalid API keys leave one row for each address. */
export async function deleteUnusedLimits(pool: Pool, signal: AbortSignal): Promise<number> {
  const dutyCycle = new DutyCycle(signal);
  let deleted = 0;
  for (let taken = BATCH; taken >= BATCH; ) {
    await dutyCycle.rest();
    taken = await deleteUnusedCallLimits(pool, UNUSED_MS, BATCH);
    deleted += taken;
  }
  return deleted;
}

export function startCallLimitCleanup({ pool, leases, logger }: LeaderTaskDependencies): AsyncDisposable {
  return startLeaderTask(leases, {
    name: 'deletion of unused call limits',
    lease: MAINTENANCE_LEASE,
    everyMs: EVERY_MS,
    run: async ({ signal }) => void (await deleteUnusedLimits(pool, signal)),
    logger,
  });
}
