import { isTransient } from '@ces/chassis/rpc/error';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { isOutage } from '@ces/chassis/rpc/outage';
import type { ActionDependencies } from '../actions/action.ts';
import { perform } from '../actions/perform.ts';
import type { Config } from '../config.ts';
import type { Claim } from '../db/claim.ts';
import { markFailing } from '../db/transition.ts';
import { advanceOrDefer, type StepDependencies, type StepOutcome } from '../operation/state-machine.ts';
import { SEARCH_FAILED, type StoredFailure } from '../operation/stored-failure.ts';
import type { AcceptedClaim } from './accepted-claim.ts';
import { afterFault, afterOutage, giveBack } from './give-back.ts';
import { Lease, LeaseLost } from './lease.ts';
import { storeOutput } from './store.ts';

/** What running an operation needs. */
export interface RunDependencies extends StepDependencies {
  readonly config: Config;
  readonly actions: ActionDependencies;
  /** This process among all that claim jobs. */
  readonly owner: string;
}

/** Where a run stands among the runs of its process. */
export interface Slot {
  /** The line that a later attempt waits in. */
  readonly line: 'run' | 'sources';
  /** Leaves its slot for one of those that ask sources; false when none is free. */
  enterSources(): boolean;
}

/** All that may ask sources do: this run waits for its turn, and holds up no other meanwhile. */
class SourcesBusy extends Error {
  override readonly name = 'SourcesBusy';
}

/** Bound on each RPC of a run, in milliseconds. */
const RPC_TIMEOUT_MS = 60_000;

/**
 * Runs a claimed operation to its end: perform, store, settle. The one path of synchronous and background operations
 * (decision 0005). An outcome that is open goes on elsewhere, or in a later attempt. What runs under its acceptance has
 * `accepted`, whose claim is written before anything is but a result.
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
 * Ends an attempt that stored nothing: it is tried again later, perhaps elsewhere, or fails for good. What ended it through no
 * fault of the work is no attempt. Every write names the fence.
 */
async function giveUp(
  deps: RunDependencies,
  claim: Claim,
  { line }: Slot,
  error: unknown,
  shutdown: AbortSignal,
): Promise<StepOutcome> {
  const { operation, attempts } = claim;
  const open: StepOutcome = { kind: 'open', operation, allowance: undefined };
  const about = { operation_id: operation.id, attempts, err: error };
  if (shutdown.aborted) await giveBack(deps, claim, { afterMs: 0, line, cause: 'stop' }, shutdown);
  else if (error instanceof SourcesBusy)
    await giveBack(deps, claim, { afterMs: 0, line: 'sources', cause: 'stop' }, shutdown);
  else if (error instanceof LeaseLost) {
    deps.meters.leaseLost();
    deps.logger.warn(about, 'lease lost');
    // Where the database could not be reached, no other process could claim it either.
    await giveBack(deps, claim, afterOutage(claim, line), shutdown);
  } else if (isOutage(error)) {
    deps.logger.warn(about, 'waiting for another service');
    await giveBack(deps, claim, afterOutage(claim, line), shutdown);
  } else if (isFinal(error) || attempts >= deps.config.attempts) {
    deps.logger[isExpected(error) ? 'warn' : 'error'](about, 'operation fails');
    const failing = await markFailing(deps.pool, operation.id, claim.fence, storedFailure(error));
    return failing ? await advanceOrDefer(deps, failing) : open;
  } else {
    deps.logger[isExpected(error) ? 'warn' : 'error'](about, 'attempt given up; a later one follows');
    await giveBack(deps, claim, afterFault(claim, line), shutdown);
  }
  return open;
}

/** Whether a later attempt would end the same. A bug may be one of this process, or of data that changes: it is tried again. */
function isFinal(error: unknown): boolean {
  return failureOf(error) !== undefined && !isTransient(error);
}

function isExpected(error: unknown): boolean {
  return failureOf(error) !== undefined || isTransient(error);
}

/** What replays for ever: never the text of a bug. */
function storedFailure(error: unknown): StoredFailure {
  const refusal = failureOf(error);
  if (refusal?.code === FailureCode.PLANNING_UNAVAILABLE) return { code: refusal.code, message: refusal.message };
  return SEARCH_FAILED;
}
