import { FailureCode, fail, failWith } from '@ces/chassis/rpc/failure';
import type { Dependencies } from '../dependencies.ts';
import { isUndecided, type Operation } from '../model/operation.ts';
import { advance, type LiveOutcome } from '../operation/state-machine.ts';
import type { Submission } from './submission.ts';

/**
 * An undecided operation is decided first, whatever the fingerprint: only an admitted one takes the
 * key. Undefined when the key turned out to be free.
 */
export async function replay(
  deps: Dependencies,
  submission: Submission,
  operation: Operation,
): Promise<LiveOutcome | undefined> {
  const isSame = operation.fingerprint.equals(submission.fingerprint);
  const isDecided = !isUndecided(operation);
  if (!isSame && isDecided) throw conflict();
  // Not deferred: callers may have seen its result, and a deferred step would answer pending.
  const step = await advance(deps, operation);
  if (step.kind === 'gone') {
    const { refusal } = step;
    if (isSame && refusal?.code === FailureCode.REQUEST_LIMIT_REACHED) throw failWith(refusal);
    return undefined;
  }
  if (!isSame) throw conflict();
  return step;
}

export function expired(): Error {
  return fail(
    FailureCode.USAGE_EXPIRED,
    'The operation of this request key is no longer kept: submit the work again with a new request key.',
  );
}

function conflict(): Error {
  return fail(
    FailureCode.IDEMPOTENCY_CONFLICT,
    'This request key belongs to other inputs: repeat those, or use a new request key for new work.',
  );
}
