import type { Lead } from '@ces/chassis/postgres/lead';
import type { Leases } from '@ces/chassis/postgres/lease';
import { startLedTask } from '@ces/chassis/postgres/led-task';
import { isTransient } from '@ces/chassis/rpc/error';
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

/**
 * Sweeps every `sweepIntervalMs` in the process that leads; `onAdvanced` is called when a pass took operations further. Two
 * that sweep at once do no harm: each step is guarded by the state that it leaves, and may be taken by any process.
 */
export function startSweeper(deps: RunDependencies, leases: Leases, onAdvanced: () => void): AsyncDisposable {
  const { config, logger, pool } = deps;
  if (config.sweepIntervalMs === 0) return { [Symbol.asyncDispose]: async () => undefined };
  let retiredAt = Number.NEGATIVE_INFINITY;
  const pass = async ({ signal }: Lead) => {
    const advanced = await sweep(deps);
    if (advanced > 0) onAdvanced();
    if (signal.aborted) return;
    if (performance.now() - retiredAt < RETIRE_EVERY_MS) return;
    const retired = await retireOld(pool, config.retentionMs, RETIRED_A_PASS);
    if (retired < RETIRED_A_PASS) retiredAt = performance.now();
  };
  return startLedTask(leases, { name: 'sweep', lease: 'sweeper', everyMs: config.sweepIntervalMs, run: pass, logger });
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
