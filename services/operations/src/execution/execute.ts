import { isTransient } from '@ces/chassis/rpc/error';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { isOutage } from '@ces/chassis/rpc/outage';
import type { ActionDependencies } from '../actions/action.ts';
import { perform } from '../actions/perform.ts';
import type { Config } from '../config.ts';
import type { Claim } from '../db/claim.ts';
import { markFailing } from '../db/transition.ts';
import { SEARCH_FAILED, type StoredFailure } from '../model/stored-failure.ts';
import { advanceOrDefer, type StepDependencies, type StepOutcome } from '../operation/state-machine.ts';
import type { AcceptedClaim } from './accepted-claim.ts';
import { Lease, LeaseLost } from './lease.ts';
import { afterFault, afterOutage, releaseClaim } from './release-claim.ts';
import { storeOutput } from './store.ts';

export interface RunDependencies extends StepDependencies {
  readonly config: Config;
  readonly actions: ActionDependencies;
  readonly owner: string;
}

export interface Slot {
  readonly queue: 'run' | 'sources';
  /** False when no slot is free. */
  enterSources(): boolean;
}

/** The run returns to the queue and blocks no other meanwhile. */
class SourcesBusy extends Error {
  override readonly name = 'SourcesBusy';
}

const RPC_TIMEOUT_MS = 60_000;

/**
 * Performs, stores, settles, for all modes (decision 0005). A run under its acceptance passes
 * `accepted`; the first write other than the result writes its claim.
 */
export async function execute(
  deps: RunDependencies,
  claim: Claim,
  slot: Slot,
  shutdown: AbortSignal,
  accepted?: AcceptedClaim,
): Promise<StepOutcome> {
  deps.atCrashPoint('run.begun');
  using lease = new Lease(deps.pool, claim, deps.config, deps.logger);
  const signal = AbortSignal.any([lease.signal, shutdown, ...(accepted ? [accepted.signal] : [])]);
  const enterSources = async (forLong: boolean) => {
    if (accepted) await accepted.write();
    signal.throwIfAborted();
    if (forLong && !slot.enterSources()) throw new SourcesBusy('as many runs ask sources as may');
  };
  try {
    const output = await perform(deps.actions, claim, { signal, timeoutMs: RPC_TIMEOUT_MS, enterSources });
    deps.atCrashPoint('run.searched');
    signal.throwIfAborted();
    const stored = await storeOutput(deps, claim, output);
    const step = await advanceOrDefer(deps, stored);
    return step.kind === 'ended' ? { ...step, hydrated: output.hydrated } : step;
  } catch (error) {
    const cause = signal.aborted ? signal.reason : error;
    if (accepted && !(await accepted.write())) {
      deps.meters.leaseLost();
      deps.logger.warn({ operation_id: claim.operation.id, err: cause }, 'the acceptance has ended');
      return { kind: 'open', operation: claim.operation, allowance: undefined };
    }
    return await giveUp(deps, claim, slot, cause, shutdown);
  }
}

/**
 * A later attempt follows, or the operation fails. Attempts that ended through no fault of the work
 * do not count. Every write names the fence.
 */
async function giveUp(
  deps: RunDependencies,
  claim: Claim,
  { queue }: Slot,
  error: unknown,
  shutdown: AbortSignal,
): Promise<StepOutcome> {
  const { operation, attempts } = claim;
  const open: StepOutcome = { kind: 'open', operation, allowance: undefined };
  const about = { operation_id: operation.id, attempts, err: error };
  if (shutdown.aborted) await releaseClaim(deps, claim, { afterMs: 0, queue, cause: 'stop' }, shutdown);
  else if (error instanceof SourcesBusy)
    await releaseClaim(deps, claim, { afterMs: 0, queue: 'sources', cause: 'stop' }, shutdown);
  else if (error instanceof LeaseLost) {
    deps.meters.leaseLost();
    deps.logger.warn(about, 'lease lost');
    // If the database was unreachable, no other process could claim the job.
    await releaseClaim(deps, claim, afterOutage(claim, queue), shutdown);
  } else if (isOutage(error)) {
    deps.logger.warn(about, 'waiting for another service');
    await releaseClaim(deps, claim, afterOutage(claim, queue), shutdown);
  } else if (isFinal(error) || attempts >= deps.config.attempts) {
    deps.logger[isExpected(error) ? 'warn' : 'error'](about, 'operation fails');
    const failing = await markFailing(deps.pool, operation.id, claim.fence, storedFailure(error));
    return failing ? await advanceOrDefer(deps, failing) : open;
  } else {
    deps.logger[isExpected(error) ? 'warn' : 'error'](about, 'attempt given up; a later one follows');
    await releaseClaim(deps, claim, afterFault(claim, queue), shutdown);
  }
  return open;
}

/** Bugs are retried: the cause may be this process, or data that changes. */
function isFinal(error: unknown): boolean {
  return failureOf(error) !== undefined && !isTransient(error);
}

function isExpected(error: unknown): boolean {
  return failureOf(error) !== undefined || isTransient(error);
}

function storedFailure(error: unknown): StoredFailure {
  const refusal = failureOf(error);
  if (refusal?.code === FailureCode.PLANNING_UNAVAILABLE) return { code: refusal.code, message: refusal.message };
  return SEARCH_FAILED;
}
