import { FailureCode, fail, failWith } from '@ces/chassis/rpc/failure';
import type { Dependencies } from '../dependencies.ts';
import { isUndecided, type Operation } from '../operation/operation.ts';
import { advance } from '../operation/state-machine.ts';
import type { Accepted } from './accept.ts';
import type { Submission } from './submission.ts';

/**
 * Takes up the operation that a key already names. Where the ledger has not decided on it yet, it is asked first,
 * whatever the fingerprint: only what was admitted takes the key. Undefined when the key turned out to be free.
 */
export async function resume(
  deps: Dependencies,
  submission: Submission,
  operation: Operation,
): Promise<Accepted | undefined> {
  if (operation.point === 'retired') throw expired();
  const isSame = operation.fingerprint.equals(submission.fingerprint);
  if (!isSame && !isUndecided(operation)) throw conflict();
  const standing = await advance(deps, operation);
  if (standing.kind === 'gone') {
    const { refusal } = standing;
    if (isSame && refusal?.code === FailureCode.REQUEST_LIMIT_REACHED) throw failWith(refusal);
    return undefined;
  }
  if (!isSame) throw conflict();
  return { standing };
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
