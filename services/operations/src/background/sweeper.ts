import { asLeader } from '@ces/chassis/postgres/leader';
import { isTransient } from '@ces/chassis/rpc/error';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import { expireLate, failExhausted, findAbandoned, findFailing, findUncollected, retireOld } from '../db/stale.ts';
import type { RunDependencies } from '../execution/execute.ts';
import { isUndecided, type Operation } from '../operation/operation.ts';
import { advance, withdraw } from '../operation/state-machine.ts';
import { EXPIRED, SEARCH_FAILED } from '../operation/stored-failure.ts';

const BATCH = 100;
/** Old operations retired a pass; retention is not in a hurry. */
const RETIRED_A_PASS = 500;
const RETIRE_EVERY_MS = 600_000;
/** How long the process that stored a result may take to settle it and to mark it, in milliseconds. */
const COLLECT_WITHIN_MS = 2_000;
/** The lock of the one sweeper of a database. */
const SWEEPER_LOCK = 7_304_118_301n;

/** Sweeps every `sweepIntervalMs` where no other process does; `onAdvanced` is called when a pass took operations further. */
export function startSweeper(deps: RunDependencies, onAdvanced: () => void): PeriodicTask {
  const { config, logger, pool } = deps;
  let retiredAt = Number.NEGATIVE_INFINITY;
  const pass = async () => {
    const advanced = await sweep(deps);
    if (advanced > 0) onAdvanced();
    if (performance.now() - retiredAt < RETIRE_EVERY_MS) return;
    const retired = await retireOld(pool, config.retentionMs, RETIRED_A_PASS);
    if (retired < RETIRED_A_PASS) retiredAt = performance.now();
  };
  return startPeriodicTask({
    name: 'sweep',
    everyMs: config.sweepIntervalMs,
    run: async () => void (await asLeader(pool, SWEEPER_LOCK, pass)),
    logger,
  });
}

/**
 * One pass: what ran out of time or attempts fails, what is between two states takes the next step, and what no caller was
 * shown is withdrawn. Returns how many were taken further.
 */
async function sweep(deps: RunDependencies): Promise<number> {
  const { pool, config, logger } = deps;
  const expired = await expireLate(pool, EXPIRED, BATCH);
  const exhausted = await failExhausted(pool, config.attempts, SEARCH_FAILED, BATCH);
  const found = [
    ...(await findFailing(pool, BATCH)),
    ...(await findUncollected(pool, COLLECT_WITHIN_MS, BATCH)),
    ...(await findAbandoned(pool, config.leaseMs, BATCH)),
  ];
  const steps = await Promise.allSettled(
    found.map((operation) => (isUndecided(operation) ? withdraw(deps, operation) : advance(deps, operation))),
  );
  for (const [index, step] of steps.entries())
    if (step.status === 'rejected')
      logger[isTransient(step.reason) ? 'warn' : 'error'](
        { err: step.reason, ...about(found[index]) },
        'operation not taken further; trying again',
      );
  const advanced = steps.filter((step) => step.status === 'fulfilled').length;
  if (expired + exhausted + advanced > 0) logger.info({ expired, exhausted, advanced }, 'swept');
  return advanced;
}

function about(operation: Operation | undefined) {
  return { operation_id: operation?.id, state: operation?.state };
}
