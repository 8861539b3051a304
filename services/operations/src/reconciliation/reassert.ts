import { failUnpaid } from '../db/reconciliation.ts';
import { failUnsettled } from '../db/transition.ts';
import type { Admission } from '../ledger/admission.ts';
import { isUndecided, type Operation } from '../operation/operation.ts';
import type { StepDependencies } from '../operation/state-machine.ts';
import { SEARCH_FAILED } from '../operation/stored-failure.ts';

/**
 * What the ledger answered to a repeated reservation, settlement or release of an operation. `not admitted` was delivered and stays;
 * `unpaid` was open and fails.
 */
export type Reassertion = 'agreed' | 'settled again' | 'not admitted' | 'unpaid' | 'reversed' | 'mismatched';

/** Repeats to the ledger what became of an operation; what it has already stays as it is. */
export async function reassert(deps: StepDependencies, operation: Operation): Promise<Reassertion> {
  if (isUndecided(operation)) return 'agreed';
  switch (operation.state) {
    case 'delivered':
      return await settleAgain(deps, operation);
    case 'failing':
    case 'failed':
      return await releaseAgain(deps, operation);
    default:
      return await holdAgain(deps, operation);
  }
}

/**
 * A reservation of what was delivered: the ledger answers that it is settled, or takes it now. Where it knows another operation
 * under the number, it stays as it is: it was shown, and is named.
 */
async function settleAgain({ ledger }: StepDependencies, operation: Operation): Promise<Reassertion> {
  const admission = await ledger.reserve({ ...operation, worstCaseUnits: operation.units.delivered }, true);
  if (admission.kind !== 'admitted') return admission.kind === 'mismatch' ? 'mismatched' : 'not admitted';
  if (admission.isSettled) return 'agreed';
  const settlement = await ledger.settle(operation, operation.units);
  return settlement.kind === 'mismatch' ? 'mismatched' : 'settled again';
}

/** A failure holds nothing and is not charged: what was settled is taken back. */
async function releaseAgain(deps: StepDependencies, operation: Operation): Promise<Reassertion> {
  if ((await deps.ledger.release(operation)) === 'released') return 'agreed';
  await deps.ledger.reverse(operation, 'it failed after it was settled');
  deps.meters.reversed();
  return 'reversed';
}

/** Work under way needs its hold. What cannot have one again fails: its result, where it is stored, was shown to no caller. */
async function holdAgain({ ledger, pool }: StepDependencies, operation: Operation): Promise<Reassertion> {
  const admission: Admission = await ledger.reserve(operation, true);
  if (admission.kind === 'admitted') return 'agreed';
  await (operation.state === 'stored' ? failUnsettled : failUnpaid)(pool, operation.id, SEARCH_FAILED);
  return admission.kind === 'mismatch' ? 'mismatched' : 'unpaid';
}
