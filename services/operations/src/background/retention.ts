import type { Lead } from '@ces/chassis/postgres/lead';
import type { Leases } from '@ces/chassis/postgres/lease';
import { startLedTask } from '@ces/chassis/postgres/led-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { deleteOldest, dropPartitions, preparePartitions } from '../db/retention.ts';

const EVERY_MS = 600_000;
/** Rows of a statement, each over in milliseconds. */
const BATCH = 500;

/**
 * Makes partitions ahead and drops what is older than `keptMs`, all but the request keys (decision 0049). Calls stop being
 * shown what is old at once; its rows go with the last of their month. Two that do this at once do no harm: each part of it is
 * one statement that looks at what there is. A part that fails keeps no other from being done.
 */
export function startRetention(pool: Pool, leases: Leases, keptMs: number, logger: Logger): AsyncDisposable {
  return startLedTask(leases, {
    ...{ name: 'retention', lease: 'retention', everyMs: EVERY_MS, immediately: true, logger },
    run: ({ signal }) => retire(pool, keptMs, logger, signal),
  });
}

/** One pass. Rejects with what was left undone. */
export async function retire(pool: Pool, keptMs: number, logger: Logger, signal: AbortSignal): Promise<void> {
  let deleted = 0;
  const deleteOld = async () => {
    for (let gone = BATCH; gone > 0 && !signal.aborted; deleted += gone) gone = await deleteOldest(pool, keptMs, BATCH);
  };
  const made = await outcomeOf(preparePartitions(pool));
  const dropped = await outcomeOf(dropPartitions(pool, keptMs));
  const emptied = await outcomeOf(deleteOld());
  const gone = (dropped.value ?? 0) + deleted;
  if (gone > 0) logger.info({ dropped: dropped.value, deleted }, 'operations that are no longer kept are gone');
  const faults = [made, dropped, emptied].flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  if (faults.length > 0)
    throw faults.length === 1 ? faults[0] : new AggregateError(faults, 'parts of retention failed');
}

async function outcomeOf<T>(work: Promise<T>): Promise<{ readonly value?: T; readonly fault?: unknown }> {
  return await work.then(
    (value) => ({ value }),
    (fault: unknown) => ({ fault }),
  );
}
