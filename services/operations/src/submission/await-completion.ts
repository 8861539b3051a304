import { isTransient } from '@ces/chassis/rpc/error';
import { findById } from '../db/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RunEnd } from '../execution/execute.ts';
import { advance } from '../operation/state-machine.ts';
import type { Accepted } from './accept.ts';

/** Pause between looks at an operation that somebody else works on, in milliseconds; its end wakes earlier. */
const LOOK_AGAIN_MS = 250;

/** Waits until an open operation has ended, here or elsewhere, at most `ms`, and no longer than `patience` lasts. */
export async function follow(
  deps: Dependencies,
  accepted: Accepted,
  ms: number,
  patience: AbortSignal,
): Promise<Accepted> {
  let { standing } = accepted;
  if (standing.kind === 'ended') return accepted;
  const deadline = performance.now() + ms;
  const end = accepted.run && (await within(accepted.run, ms, patience));
  if (end?.standing.kind === 'ended') return { standing: end.standing, hydrated: end.hydrated };
  const { id, accountId } = standing.operation;
  for (let left = ms; left > 0 && !patience.aborted; left = deadline - performance.now()) {
    await deps.endings.wait(id, Math.min(LOOK_AGAIN_MS, left));
    const next = await look(deps, accountId, id);
    if (next?.kind === 'ended') return { standing: next };
    if (next) standing = { ...next, allowance: standing.allowance };
  }
  return { standing };
}

/** How far the operation has come now; undefined when that cannot be said now. */
async function look(deps: Dependencies, accountId: bigint, id: bigint): Promise<Accepted['standing'] | undefined> {
  try {
    const found = await findById(deps.pool, accountId, id);
    const standing = found && (await advance(deps, found));
    if (!standing || standing.kind === 'gone') throw new Error(`operation ${id} was shown and is gone`);
    return standing;
  } catch (error) {
    if (!isTransient(error)) throw error;
    deps.logger.debug({ err: error, operation_id: id }, 'waiting on');
    return undefined;
  }
}

/** The end of a run, or undefined when it takes longer; the run goes on. */
function within(run: Promise<RunEnd>, ms: number, patience: AbortSignal): Promise<RunEnd | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      patience.removeEventListener('abort', stop);
      resolve(undefined);
    };
    const timer = setTimeout(stop, ms);
    patience.addEventListener('abort', stop);
    if (patience.aborted) stop();
    run.then(resolve, reject).finally(stop);
  });
}
