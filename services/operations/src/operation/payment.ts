import { isTransient } from '@ces/chassis/rpc/error';
import type { AtCrashPoint } from '../crash-points.ts';
import type { Admission } from '../ledger/admission.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readKeptSince } from '../ledger/retention.ts';
import type { Operation, OperationUnits } from '../model/operation.ts';

interface PaymentDependencies {
  readonly ledger: Ledger;
  readonly atCrashPoint: AtCrashPoint;
}

export async function pay(deps: PaymentDependencies, operation: Operation, units: OperationUnits): Promise<Admission> {
  return await (operation.payment === 'hold' ? settle : charge)(deps, operation, units);
}

async function settle(deps: PaymentDependencies, operation: Operation, units: OperationUnits): Promise<Admission> {
  deps.atCrashPoint('settle.before');
  const settlement = await deps.ledger.settle(operation, units).catch(async (error: unknown): Promise<Admission> => {
    if (isTransient(error)) throw error;
    const admission = await reserveAgain(deps, operation);
    return admission.kind === 'admitted' ? await deps.ledger.settle(operation, units) : admission;
  });
  deps.atCrashPoint('settle.after');
  return settlement;
}

/**
 * A hold is missing only after a restore: an older ledger reserves again, a newer one has released
 * it. Operations older than its records are not reserved again (promise R32).
 */
async function reserveAgain({ ledger }: PaymentDependencies, operation: Operation): Promise<Admission> {
  if (operation.createdAt < (await readKeptSince(ledger))) return { kind: 'withdrawn' };
  return await ledger.reserve(operation, true);
}

async function charge(deps: PaymentDependencies, operation: Operation, units: OperationUnits): Promise<Admission> {
  const admission = await deps.ledger.charge(operation, units);
  deps.atCrashPoint('charge.replied');
  return admission;
}
