import { FailureCode, fail, failWith } from '@ces/chassis/rpc/failure';
import type { Dependencies } from '../dependencies.ts';
import { isUndecided, type Operation } from '../operation/operation.ts';
import { advance, type LiveOutcome } from '../operation/state-machine.ts';
import type { Submission } from './submission.ts';

/**
 * Takes up the operation that a request key already names. Where the ledger has not decided on it yet, it is asked first,
 * whatever the fingerprint: only what was admitted takes the key. Undefined when the key turned out to be free.
 */
export async function replay(
  deps: Dependencies,
  submission: Submission,
  operation: Operation,
): Promise<LiveOutcome | undefined> {
  const isSame = operation.fingerprint.equals(submission.fingerprint);
  const isDecided = !isUndecided(operation);
  if (!isSame && isDecided) throw conflict();
  // Not deferred: its result may have been shown already, and would be pending again.
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
