import { isTransient } from '@ces/chassis/rpc/error';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import type { ActionDependencies } from '../actions/action.ts';
import { perform } from '../actions/perform.ts';
import type { Config } from '../config.ts';
import { type Claim, postpone } from '../db/job.ts';
import { markFailing } from '../db/transition.ts';
import type { Operation } from '../operation/operation.ts';
import { advance, type StepDependencies, type StepOutcome } from '../operation/state-machine.ts';
import { SEARCH_FAILED, type StoredFailure } from '../operation/stored-failure.ts';
import { Lease, LeaseLost } from './lease.ts';
import { storeOutput } from './store.ts';

/** What running an operation needs. */
export interface RunDependencies extends StepDependencies {
  readonly config: Config;
  readonly actions: ActionDependencies;
  /** This process among all that claim jobs. */
  readonly owner: string;
}

/** Bound on each RPC of a run, in milliseconds. */
const RPC_TIMEOUT_MS = 60_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Runs a claimed operation to its end: perform, store, settle. The one path of synchronous and background operations
 * (decision 0012). An outcome that is open goes on elsewhere, or in a later attempt.
 */
export async function execute(deps: RunDependencies, claim: Claim, shutdown: AbortSignal): Promise<StepOutcome> {
  deps.atCrashPoint('run.claimed');
  using lease = new Lease(deps.pool, claim, deps.config, deps.logger);
  const signal = AbortSignal.any([lease.signal, shutdown]);
  try {
    const output = await perform(deps.actions, claim, { signal, timeoutMs: RPC_TIMEOUT_MS });
    deps.atCrashPoint('run.searched');
    signal.throwIfAborted();
    const stored = await storeOutput(deps, claim, output);
    const step = await advanceOrDefer(deps, stored);
    return step.kind === 'ended' ? { ...step, hydrated: output.hydrated } : step;
  } catch (error) {
    return await giveUp(deps, claim, signal.aborted ? signal.reason : error, shutdown);
  }
}

/** What is stored is never undone, nor is a failure: where the ledger cannot be asked now, the sweeper asks it. */
async function advanceOrDefer(deps: RunDependencies, stored: Operation): Promise<StepOutcome> {
  try {
    return await advance(deps, stored);
  } catch (error) {
    deps.logger[isTransient(error) ? 'warn' : 'error']({ err: error, operation_id: stored.id }, 'ledger asked later');
    return { kind: 'open', operation: stored, allowance: undefined };
  }
}

/** Ends an attempt that stored nothing: it is tried again later, perhaps elsewhere, or fails for good. Every write names the fence. */
async function giveUp(
  deps: RunDependencies,
  claim: Claim,
  error: unknown,
  shutdown: AbortSignal,
): Promise<StepOutcome> {
  const { operation, fence, attempts } = claim;
  const open: StepOutcome = { kind: 'open', operation, allowance: undefined };
  const about = { operation_id: operation.id, attempts, err: error };
  if (error instanceof LeaseLost) {
    deps.meters.leaseLost();
    deps.logger.warn(about, 'lease lost');
    return open;
  }
  const lastAttempt = attempts >= deps.config.attempts;
  if (shutdown.aborted || !(isFinal(error) || lastAttempt)) {
    deps.logger[isExpected(error) ? 'warn' : 'error'](about, 'attempt given up; a later one follows');
    await postpone(deps.pool, operation.id, fence, shutdown.aborted ? 0 : backoffMs(attempts));
    return open;
  }
  deps.logger[isExpected(error) ? 'warn' : 'error'](about, 'operation fails');
  const failing = await markFailing(deps.pool, operation.id, fence, storedFailure(error));
  return failing ? await advanceOrDefer(deps, failing) : open;
}

/** Whether a later attempt would end the same. A bug may be one of this process, or of data that changes: it is tried again. */
function isFinal(error: unknown): boolean {
  return failureOf(error) !== undefined && !isTransient(error);
}

function isExpected(error: unknown): boolean {
  return failureOf(error) !== undefined || isTransient(error);
}

/** Exponential with jitter, from half a second to a minute. */
function backoffMs(attempts: number): number {
  return Math.min(MAX_BACKOFF_MS, 1000 * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
}

/** What replays for ever: never the text of a bug. */
function storedFailure(error: unknown): StoredFailure {
  const refusal = failureOf(error);
  if (refusal?.code === FailureCode.PLANNING_UNAVAILABLE) return { code: refusal.code, message: refusal.message };
  return SEARCH_FAILED;
}
