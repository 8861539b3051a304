import { failUnpaid } from '../db/reconciliation.ts';
import { failUnsettled } from '../db/transition.ts';
import type { Admission } from '../ledger/admission.ts';
import { isUndecided, type Operation } from '../model/operation.ts';
import { SEARCH_FAILED } from '../model/stored-failure.ts';
import type { StepDependencies } from '../operation/state-machine.ts';

/** `not admitted`: it was delivered and stays so. `unpaid`: it was open and fails. */
export type LedgerRepair = 'agreed' | 'settled again' | 'not admitted' | 'unpaid' | 'reversed' | 'mismatched';

export async function repairLedgerState(deps: StepDependencies, operation: Operation): Promise<LedgerRepair> {
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

/** Settles unless settled. On a mismatch it stays delivered, because callers have seen it. */
async function settleAgain({ ledger }: StepDependencies, operation: Operation): Promise<LedgerRepair> {
  const admission = await ledger.reserve({ ...operation, worstCaseUnits: operation.units.delivered }, true);
  if (admission.kind !== 'admitted') return admission.kind === 'mismatch' ? 'mismatched' : 'not admitted';
  if (admission.isSettled) return 'agreed';
  const settlement = await ledger.settle(operation, operation.units);
  return settlement.kind === 'mismatch' ? 'mismatched' : 'settled again';
}

async function releaseAgain(deps: StepDependencies, operation: Operation): Promise<LedgerRepair> {
  if ((await deps.ledger.release(operation)) === 'released') return 'agreed';
  await deps.ledger.reverse(operation, 'it failed after it was settled');
  deps.meters.reversed();
  return 'reversed';
}

/** Without a hold open work fails; no caller has seen its result. */
async function holdAgain({ ledger, pool }: StepDependencies, operation: Operation): Promise<LedgerRepair> {
  const admission: Admission = await ledger.reserve(operation, true);
  if (admission.kind === 'admitted') return 'agreed';
  await (operation.state === 'stored' ? failUnsettled : failUnpaid)(pool, operation.id, SEARCH_FAILED);
  return admission.kind === 'mismatch' ? 'mismatched' : 'unpaid';
}
