import { isTransient } from '@ces/chassis/rpc/error';
import { findById } from '../db/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { advance, type LiveOutcome, type StepOutcome } from '../operation/state-machine.ts';

/** A completion message wakes earlier. */
const LOOK_AGAIN_MS = 250;

/** Waits at most `ms` for the end of an open operation, or until `waitSignal` aborts. */
export async function awaitCompletion(
  deps: Dependencies,
  accepted: LiveOutcome,
  ms: number,
  waitSignal: AbortSignal,
): Promise<LiveOutcome> {
  if (accepted.kind === 'ended') return accepted;
  const left = Math.max(0, ms - (accepted.waitedMs ?? 0));
  const deadline = performance.now() + left;
  const end = accepted.run && (await resultWithin(accepted.run, left, waitSignal));
  if (end?.kind === 'ended') return end;
  let step: LiveOutcome = accepted;
  const { id, accountId } = accepted.operation;
  for (let left = ms; left > 0 && !waitSignal.aborted; left = deadline - performance.now()) {
    await deps.completions.wait(id, Math.min(LOOK_AGAIN_MS, left));
    const next = await look(deps, accountId, id);
    if (next?.kind === 'ended') return next;
    if (next) step = { ...next, allowance: accepted.allowance };
  }
  return step;
}

async function look(deps: Dependencies, accountId: bigint, id: bigint): Promise<LiveOutcome | undefined> {
  try {
    const found = await findById(deps.pool, accountId, id);
    const step = found && (await advance(deps, found));
    if (!step || step.kind === 'gone') throw new Error(`operation ${id} was shown and is gone`);
    return step;
  } catch (error) {
    if (!isTransient(error)) throw error;
    deps.logger.debug({ err: error, operation_id: id }, 'waiting on');
    return undefined;
  }
}

/** Undefined after `ms` or an abort; the run goes on. */
export function resultWithin(
  run: Promise<StepOutcome>,
  ms: number,
  waitSignal: AbortSignal,
): Promise<StepOutcome | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      waitSignal.removeEventListener('abort', stop);
      resolve(undefined);
    };
    const timer = setTimeout(stop, ms);
    waitSignal.addEventListener('abort', stop);
    if (waitSignal.aborted) stop();
    run.then(resolve, reject).finally(stop);
  });
}
