import { isTransient } from '@ces/chassis/rpc/error';
import { FailureCode } from '@ces/chassis/rpc/failure';
import { expireLate, failExhausted, findAbandoned, findFailing, findUncollected, retireOld } from '../db/stale.ts';
import type { RunTools } from '../dependencies.ts';
import { SEARCH_FAILED_MESSAGE } from '../execution/execute.ts';
import { isUndecided, type Operation, type StoredFailure } from '../operation/operation.ts';
import { advance } from '../operation/state-machine.ts';
import { withdraw } from '../operation/withdraw.ts';
import { Loop } from './loop.ts';
import type { Waker } from './worker.ts';

const BATCH = 100;
/** Old operations retired a pass; retention is not in a hurry. */
const RETIRED_A_PASS = 500;
const RETIRE_EVERY_MS = 600_000;
/** How long whoever stored a result may take to settle it and to mark it, in milliseconds. */
const COLLECT_WITHIN_MS = 2_000;
/** The one sweeper of a database. */
const SWEEPER_LOCK = 7_304_118_301n;

const EXPIRED: StoredFailure = {
  code: FailureCode.USAGE_EXPIRED,
  message:
    'The operation expired before it was finished and nothing was charged: submit it again with a new request key.',
};
const EXHAUSTED: StoredFailure = { code: FailureCode.SEARCH_FAILED, message: SEARCH_FAILED_MESSAGE };

/** What a pass did, by step. */
export interface Swept {
  readonly expired: number;
  readonly exhausted: number;
  /** Operations taken a step further: collected, released or withdrawn. */
  readonly advanced: number;
}

/** Sweeps every `sweepIntervalMs` where no other process does. */
export function startSweeper(tools: RunTools, worker: Waker): AsyncDisposable {
  const { config, logger } = tools;
  let retiredAt = Number.NEGATIVE_INFINITY;
  return new Loop(
    config.sweepIntervalMs,
    async () => {
      await asOnlySweeper(tools, async () => {
        const swept = await sweepOnce(tools);
        if (swept.advanced > 0) worker.wake();
        if (performance.now() - retiredAt < RETIRE_EVERY_MS) return;
        const retired = await retireOld(tools.pool, config.retentionMs, RETIRED_A_PASS);
        if (retired < RETIRED_A_PASS) retiredAt = performance.now();
      });
    },
    (error) => logger.warn({ err: error }, 'sweep broken off; the next one follows'),
  );
}

/** One pass: what ran out of time or attempts fails, what stands between two steps takes the next, and what nobody was told of goes. */
export async function sweepOnce(tools: RunTools): Promise<Swept> {
  const { pool, config, logger } = tools;
  const expired = await expireLate(pool, EXPIRED, BATCH);
  const exhausted = await failExhausted(pool, config.attempts, EXHAUSTED, BATCH);
  const found = [
    ...(await findFailing(pool, BATCH)),
    ...(await findUncollected(pool, COLLECT_WITHIN_MS, BATCH)),
    ...(await findAbandoned(pool, config.leaseMs, BATCH)),
  ];
  const steps = await Promise.allSettled(
    found.map((operation) => (isUndecided(operation) ? withdraw(tools, operation) : advance(tools, operation))),
  );
  for (const [index, step] of steps.entries())
    if (step.status === 'rejected')
      logger[isTransient(step.reason) ? 'warn' : 'error'](
        { err: step.reason, ...about(found[index]) },
        'operation not taken further; trying again',
      );
  const advanced = steps.filter((step) => step.status === 'fulfilled').length;
  if (expired + exhausted + advanced > 0) logger.info({ expired, exhausted, advanced }, 'swept');
  return { expired, exhausted, advanced };
}

/** Runs a pass under the advisory lock, or not at all while another process holds it. No transaction is open meanwhile. */
async function asOnlySweeper({ pool }: RunTools, pass: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [SWEEPER_LOCK]);
    if (!rows[0]?.mine) return;
    try {
      await pass();
    } finally {
      await client.query('select pg_advisory_unlock($1)', [SWEEPER_LOCK]);
    }
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

function about(operation: Operation | undefined) {
  return { operation_id: operation?.id, point: operation?.point };
}
