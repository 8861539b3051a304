import { create } from '@bufbuild/protobuf';
import type { Actor } from '@ces/chassis/rpc/caller';
import {
  type ReconcileLedgerRequest,
  type ReconcileLedgerResponse,
  ReconcileLedgerResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { insertAudit } from '../db/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditRepairs } from '../reconciliation/audit-repairs.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { pageSize } from './page-size.ts';

/** An audit row precedes the first call; each page writes one for its repairs. */
export async function reconcileLedger(
  deps: Dependencies,
  { afterOperationId, limit }: ReconcileLedgerRequest,
  actor: Actor,
): Promise<ReconcileLedgerResponse> {
  const size = pageSize(limit, 100, 1000);
  if (afterOperationId === 0n) await insertAudit(deps.pool, { actor, action: 'reconcile' });
  const { tooOld: _, unpaid, ...found } = await reconcile(deps, afterOperationId, size);
  await auditRepairs(deps.pool, actor, 'reconcile', { ...found, unpaid });
  return create(ReconcileLedgerResponseSchema, { ...found, notAdmitted: [...found.notAdmitted, ...unpaid] });
}
