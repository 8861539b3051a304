import { create } from '@bufbuild/protobuf';
import {
  type ReconcileLedgerRequest,
  type ReconcileLedgerResponse,
  ReconcileLedgerResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { pageSize } from './page-size.ts';

export async function reconcileLedger(
  deps: Dependencies,
  { afterOperationId, limit }: ReconcileLedgerRequest,
): Promise<ReconcileLedgerResponse> {
  const { tooOld: _, unpaid, ...found } = await reconcile(deps, afterOperationId, pageSize(limit, 100, 1000));
  return create(ReconcileLedgerResponseSchema, { ...found, notAdmitted: [...found.notAdmitted, ...unpaid] });
}
