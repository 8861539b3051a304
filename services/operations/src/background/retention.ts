import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { deleteLostAttempts, deleteOldest, dropPartitions, preparePartitions } from '../db/retention.ts';

const EVERY_MS = 600_000;
const BATCH = 500;

/**
 * Request keys stay (decision 0013). Rows go with the last of their month, but calls stop showing
 * them at once. Concurrent passes are harmless, and a failed part does not stop the others.
 */
export function startRetention(pool: Pool, leases: Leases, keptMs: number, logger: Logger): AsyncDisposable {
  return startLeaderTask(leases, {
    ...{ name: 'retention', lease: 'retention', everyMs: EVERY_MS, immediately: true, logger },
    run: ({ signal }) => runRetentionPass(pool, keptMs, logger, signal),
  });
}

export async function runRetentionPass(pool: Pool, keptMs: number, logger: Logger, signal: AbortSignal): Promise<void> {
  let [dropped, deleted] = [0, 0];
  try {
    await preparePartitions(pool);
  } finally {
    try {
      await deleteLostAttempts(pool, keptMs);
      dropped = await dropPartitions(pool, keptMs);
    } finally {
      for (let gone = BATCH; gone > 0 && !signal.aborted; deleted += gone)
        gone = await deleteOldest(pool, keptMs, BATCH);
      if (dropped + deleted > 0) logger.info({ dropped, deleted }, 'operations that are no longer kept are gone');
    }
  }
}
