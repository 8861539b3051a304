import type { Leases } from '@ces/chassis/postgres/lease';
import { startLedTask } from '@ces/chassis/postgres/led-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { deleteLostAttempts, deleteOldest, dropPartitions, preparePartitions } from '../db/retention.ts';

const EVERY_MS = 600_000;
/** Rows of a statement, each over in milliseconds. */
const BATCH = 500;

/**
 * Makes partitions ahead and drops what is older than `keptMs`, all but the request keys (decision 0013). Calls stop being
 * shown what is old at once; its rows go with the last of their month. Two that do this at once do no harm: each part of it is
 * one statement that looks at what there is. A part that fails keeps no other from being done.
 */
export function startRetention(pool: Pool, leases: Leases, keptMs: number, logger: Logger): AsyncDisposable {
  return startLedTask(leases, {
    ...{ name: 'retention', lease: 'retention', everyMs: EVERY_MS, immediately: true, logger },
    run: ({ signal }) => retire(pool, keptMs, logger, signal),
  });
}

/** One pass. */
export async function retire(pool: Pool, keptMs: number, logger: Logger, signal: AbortSignal): Promise<void> {
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
