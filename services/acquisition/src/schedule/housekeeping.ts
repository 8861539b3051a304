import type { Pool } from '@ces/chassis/postgres/pool';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';
import { deleteOldCalls } from '../db/provider-call.ts';
import { deleteOldQuestions } from '../db/source-question.ts';
import { deleteOldSearchRuns, failLostRuns } from '../db/source-run.ts';
import { SILENT_RUN_MS } from '../run/active-run.ts';

const EVERY_MS = 600_000;
/** All attempts of an operation end within an hour. */
const CALLS_KEPT_MS = 24 * 3_600_000;
const SEARCH_RUNS_KEPT_MS = 35 * 24 * 3_600_000;
const SEARCH_RUNS_AT_ONCE = 1_000;

export function startHousekeeping(pool: Pool, cacheTtlMs: number, logger: Logger): PeriodicTask {
  const run = async (signal: AbortSignal) => {
    await failLostRuns(pool, SILENT_RUN_MS);
    await deleteOldCalls(pool, CALLS_KEPT_MS);
    await deleteOldQuestions(pool, cacheTtlMs);
    let deleted = SEARCH_RUNS_AT_ONCE;
    while (deleted === SEARCH_RUNS_AT_ONCE && !signal.aborted)
      deleted = await deleteOldSearchRuns(pool, SEARCH_RUNS_KEPT_MS, SEARCH_RUNS_AT_ONCE);
  };
  return startPeriodicTask({ name: 'housekeeping', everyMs: EVERY_MS, run, logger });
}
