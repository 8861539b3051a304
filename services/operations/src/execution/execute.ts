import { crashPoint } from '@ces/chassis/crash-point';
import { isTransient } from '@ces/chassis/rpc/error';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import type { Hydrated } from '../actions/action.ts';
import { perform } from '../actions/perform.ts';
import { type Claim, postpone } from '../db/job.ts';
import { markFailing } from '../db/transition.ts';
import type { RunTools } from '../dependencies.ts';
import type { Operation, StoredFailure } from '../operation/operation.ts';
import { advance, type Standing } from '../operation/state-machine.ts';
import { Lease, LeaseLost } from './lease.ts';
import { storeWork } from './store.ts';

/** How a run ended, and what the result was stored from. Open: somebody else goes on, or a later attempt does. */
export interface RunEnd {
  readonly standing: Standing;
  readonly hydrated?: readonly Hydrated[];
}

/** Bound on each RPC of a run, in milliseconds. */
const RPC_TIMEOUT_MS = 60_000;
const MAX_BACKOFF_MS = 60_000;

/** Runs a claimed operation to its end: work, store, settle. The one path of synchronous and background operations. */
export async function execute(tools: RunTools, claim: Claim, shutdown: AbortSignal): Promise<RunEnd> {
  crashPoint('run.claimed');
  using lease = new Lease(tools.pool, claim, tools.config, tools.logger);
  const signal = AbortSignal.any([lease.signal, shutdown]);
  try {
    const work = await perform(tools.pool, tools.work, claim, { signal, timeoutMs: RPC_TIMEOUT_MS });
    crashPoint('run.searched');
    signal.throwIfAborted();
    const stored = await storeWork(tools.pool, claim, work);
    return { standing: await collectOrLeave(tools, stored), hydrated: work.hydrated };
  } catch (error) {
    return { standing: await giveUp(tools, claim, signal.aborted ? signal.reason : error, shutdown) };
  }
}

/** What is stored is never undone, nor what fails: where the ledger cannot be asked now, the sweeper asks it. */
async function collectOrLeave(tools: RunTools, stored: Operation): Promise<Standing> {
  try {
    return await advance(tools, stored);
  } catch (error) {
    tools.logger[isTransient(error) ? 'warn' : 'error']({ err: error, operation_id: stored.id }, 'ledger asked later');
    return { kind: 'open', operation: stored, allowance: undefined };
  }
}

/** Ends an attempt that stored nothing: later, by somebody else, or for good. Every write names the fence. */
async function giveUp(tools: RunTools, claim: Claim, error: unknown, shutdown: AbortSignal): Promise<Standing> {
  const { operation, fence, attempts } = claim;
  const open: Standing = { kind: 'open', operation, allowance: undefined };
  const about = { operation_id: operation.id, attempts, err: error };
  if (error instanceof LeaseLost) {
    tools.meters.leaseLost();
    tools.logger.warn(about, 'lease lost');
    return open;
  }
  const lastAttempt = attempts >= tools.config.attempts;
  if (shutdown.aborted || !(isFinal(error) || lastAttempt)) {
    tools.logger[isExpected(error) ? 'warn' : 'error'](about, 'attempt given up; a later one follows');
    await postpone(tools.pool, operation.id, fence, shutdown.aborted ? 0 : backoffMs(attempts));
    return open;
  }
  tools.logger[isExpected(error) ? 'warn' : 'error'](about, 'operation fails');
  const failing = await markFailing(tools.pool, operation.id, fence, storedFailure(error));
  return failing ? await collectOrLeave(tools, failing) : open;
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
  return { code: FailureCode.SEARCH_FAILED, message: SEARCH_FAILED_MESSAGE };
}

export const SEARCH_FAILED_MESSAGE =
  'The search failed and nothing was charged: submit it again with a new request key.';
