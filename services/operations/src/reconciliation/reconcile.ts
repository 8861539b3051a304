import { isTransient } from '@ces/chassis/rpc/error';
import { findKnown, listMetered } from '../db/reconciliation.ts';
import type { RunDependencies } from '../execution/execute.ts';
import { readRepairableSince } from '../ledger/retention.ts';
import type { Operation } from '../model/operation.ts';
import { type LedgerRepair, repairLedgerState } from './repair-ledger-state.ts';

export interface Reconciled {
  readonly checked: number;
  readonly lastOperationId: bigint;
  /** Older than the ledger's records, so not repeated. */
  readonly tooOld: number;
  readonly settledAgain: bigint[];
  /** Delivered, but without a settlement from now on. */
  readonly notAdmitted: bigint[];
  readonly unpaid: bigint[];
  readonly reversed: bigint[];
  readonly mismatched: bigint[];
  readonly failed: bigint[];
  readonly released: bigint[];
}

const HOLDS_AT_ONCE = 1_000;

/**
 * Repeats `limit` operations above `after` to a restored ledger, and releases its holds of lost
 * ones. Throws INVALID_REQUEST when the ledger keeps records for a shorter time than operations.
 */
export async function reconcile(deps: RunDependencies, after: bigint, limit: number): Promise<Reconciled> {
  const since = await readRepairableSince(deps.ledger, deps.config);
  const { released, kept } = after === 0n ? await releaseUnknown(deps) : { released: [], kept: [] };
  const operations = await listMetered(deps.pool, after, limit);
  const repairable = operations.filter(({ createdAt }) => createdAt >= since);
  const found: Found = {
    ...{ agreed: [], 'settled again': [], 'not admitted': [], unpaid: [] },
    ...{ reversed: [], mismatched: [], failed: kept },
  };
  for (const operation of repairable) found[await repairOne(deps, operation)].push(operation.id);
  const { reversed, mismatched, failed, unpaid, 'settled again': settledAgain, 'not admitted': notAdmitted } = found;
  if ([settledAgain, notAdmitted, unpaid, released, reversed, mismatched].some(({ length }) => length > 0))
    deps.logger.warn(
      { settled_again: settledAgain, not_admitted: notAdmitted, unpaid, released, reversed, mismatched },
      'ledger reconciled',
    );
  return {
    checked: operations.length,
    lastOperationId: operations.at(-1)?.id ?? 0n,
    tooOld: operations.length - repairable.length,
    ...{ settledAgain, notAdmitted, unpaid, reversed, mismatched, failed, released },
  };
}

type Found = Record<LedgerRepair | 'failed', bigint[]>;

/** A fault affects only its operation. An unreachable ledger ends the page. */
async function repairOne(deps: RunDependencies, operation: Operation): Promise<LedgerRepair | 'failed'> {
  try {
    return await repairLedgerState(deps, operation);
  } catch (error) {
    if (isTransient(error)) throw error;
    deps.logger.error({ err: error, operation_id: operation.id }, 'operation not reconciled');
    return 'failed';
  }
}

/** A hold without an operation belongs to a lost one. `kept`: the ledger refused to release. */
async function releaseUnknown({
  ledger,
  pool,
  logger,
}: RunDependencies): Promise<Record<'released' | 'kept', bigint[]>> {
  const held = await ledger.listHeld(HOLDS_AT_ONCE);
  const known = await findKnown(pool, held);
  const found = { released: [] as bigint[], kept: [] as bigint[] };
  for (const lost of held.filter(({ id }) => !known.has(id))) {
    const error = await ledger.releaseUnknown(lost).catch((fault: unknown) => fault);
    if (isTransient(error)) throw error;
    if (error !== undefined)
      logger.error({ err: error, operation_id: lost.id }, 'hold of a lost operation not released');
    found[error === undefined ? 'released' : 'kept'].push(lost.id);
  }
  return found;
}
