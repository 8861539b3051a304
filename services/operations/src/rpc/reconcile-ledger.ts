import { create } from '@bufbuild/protobuf';
import { isTransient } from '@ces/chassis/rpc/error';
import {
  type ReconcileLedgerRequest,
  type ReconcileLedgerResponse,
  ReconcileLedgerResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { findKnown, listMetered } from '../db/reconciliation.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Operation } from '../operation/operation.ts';
import { type Reassertion, reassert } from '../reconciliation/reassert.ts';
import { pageSize } from './page-size.ts';

/** Holds looked at a call. */
const HOLDS_AT_ONCE = 1_000;

/** After a restore of one database alone: the ledger is asked again to hold or settle every operation, and releases holds that no operation has. */
export async function reconcileLedger(
  deps: Dependencies,
  { afterOperationId, limit }: ReconcileLedgerRequest,
): Promise<ReconcileLedgerResponse> {
  const released = afterOperationId === 0n ? await releaseUnknown(deps) : [];
  const operations = await listMetered(deps.pool, afterOperationId, pageSize(limit, 100, 1000));
  const found: Found = {
    ...{ agreed: [], 'settled again': [], 'not admitted': [] },
    ...{ reversed: [], mismatched: [], failed: [] },
  };
  for (const operation of operations) found[await reassertAlone(deps, operation)].push(operation.id);
  const { reversed, mismatched, failed, 'settled again': settledAgain, 'not admitted': notAdmitted } = found;
  if ([settledAgain, notAdmitted, released, reversed, mismatched].some(({ length }) => length > 0))
    deps.logger.warn(
      { settled_again: settledAgain, not_admitted: notAdmitted, released, reversed, mismatched },
      'ledger reconciled',
    );
  return create(ReconcileLedgerResponseSchema, {
    checked: operations.length,
    lastOperationId: operations.at(-1)?.id ?? 0n,
    settledAgain,
    notAdmitted,
    released,
    reversed,
    mismatched,
    failed,
  });
}

type Found = Record<Reassertion | 'failed', bigint[]>;

/** A fault stays with its own operation. A ledger that cannot be asked ends the page: the caller asks for it again. */
async function reassertAlone(deps: Dependencies, operation: Operation): Promise<Reassertion | 'failed'> {
  try {
    return await reassert(deps, operation);
  } catch (error) {
    if (isTransient(error)) throw error;
    deps.logger.error({ err: error, operation_id: operation.id }, 'operation not reconciled');
    return 'failed';
  }
}

/** An operation is written before its hold: a hold without one belongs to an operation that is lost. */
async function releaseUnknown({ ledger, pool }: Dependencies): Promise<bigint[]> {
  const held = await ledger.listHeld(HOLDS_AT_ONCE);
  const known = await findKnown(pool, held);
  const unknown = held.filter(({ id }) => !known.has(id));
  for (const lost of unknown) await ledger.releaseUnknown(lost);
  return unknown.map(({ id }) => id);
}
