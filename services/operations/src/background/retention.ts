import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { deleteLostAttempts, dropPartitions, preparePartitions } from '../db/retention.ts';

const EVERY_MS = 600_000;

/**
 * Request keys stay (decision 0013). Rows go with the last of their month, but calls stop showing
 * them at once. Concurrent passes are harmless, and a failed part does not stop the others.
 */
export function startRetention(pool: Pool, leases: Leases, keptMs: number, logger: Logger): AsyncDisposable {
  return startLeaderTask(leases, {
    ...{ name: 'retention', lease: 'retention', everyMs: EVERY_MS, immediately: true, logger },
    run: () => runRetentionPass(pool, keptMs, logger),
  });
}

export async function runRetentionPass(pool: Pool, keptMs: number, logger: Logger): Promise<void> {
  try {
    await preparePartitions(pool);
  } finally {
    await deleteLostAttempts(pool, keptMs);
    const dropped = await dropPartitions(pool, keptMs);
    if (dropped > 0) logger.info({ dropped }, 'operations that are no longer kept are gone');
  }
}
