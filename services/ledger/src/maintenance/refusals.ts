import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import { deleteRefusals } from '../db/retention.ts';
import { DutyCycle } from './duty-cycle.ts';
import { type LeaderTaskDependencies, MAINTENANCE_LEASE } from './leader-tasks.ts';

const BATCH = 500;
const EVERY_MS = 60_000;

/**
 * Deletes after an hour: callers repeat a call within minutes, and a later one is refused for its
 * number's age. Returns how many.
 */
export async function deleteOldRefusals(pool: Pool, signal: AbortSignal): Promise<number> {
  const dutyCycle = new DutyCycle(signal);
  let deleted = 0;
  for (let taken = BATCH; taken === BATCH; ) {
    await dutyCycle.rest();
    taken = await deleteRefusals(pool, BATCH);
    deleted += taken;
  }
  return deleted;
}

export function startRefusalCleanup({ pool, leases, logger }: LeaderTaskDependencies): AsyncDisposable {
  return startLeaderTask(leases, {
    name: 'deletion of old refusals',
    lease: MAINTENANCE_LEASE,
    everyMs: EVERY_MS,
    immediately: true,
    run: async ({ signal }) => void (await deleteOldRefusals(pool, signal)),
    logger,
  });
}
