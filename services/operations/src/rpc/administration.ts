import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { insertAudit } from '../db/audit.ts';
import { makeDue } from '../db/job.ts';
import { type FullRecordRow, findRecord, listRecords, listSettlements } from '../db/operation-record.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditRepairs } from '../reconciliation/audit-repairs.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { renderRecord, renderSettlement, statesOf } from '../render/operation-record.ts';

export function administration(
  deps: Dependencies,
  during: (context: HandlerContext) => Dependencies,
): ServiceImpl<typeof OperationsAdminService> {
  const { pool, config } = deps;
  return {
    async listOperations({ accountId, status, beforeId, limit }) {
      const states = statesOf(status);
      const filter = { ...(accountId && { accountId }), ...(beforeId && { beforeId }), ...(states && { states }) };
      return { operations: (await listRecords(pool, filter, pageSize(limit, 50, 1000))).map(renderRecord) };
    },

    /** Shows a subscriber's text to an operator, and records that in the audit log. */
    async getOperationRecord({ operationId }, context) {
      const row = await getRecord(deps, operationId);
      await insertAudit(pool, { actor: actorOf(context), action: 'show', operationId });
      return {
        operation: renderRecord(row),
        normalFormJson: row.normal_form ?? '',
        planJson: row.plan ?? '',
        resultJson: row.result ?? '',
      };
    },

    async requeueOperation({ operationId }, context) {
      await getRecord(deps, operationId);
      await insertAudit(pool, { actor: actorOf(context), action: 'requeue', operationId });
      const requeued = await makeDue(pool, operationId);
      if (requeued) deps.dispatch();
      return { requeued };
    },

    async listSettlements({ afterOperationId, limit }) {
      const rows = await listSettlements(pool, afterOperationId, pageSize(limit, 1000, 5000), config.retentionMs);
      return { settlements: rows.map(renderSettlement) };
    },

    /** An audit row precedes the first call; each page writes one for its repairs. */
    async reconcileLedger({ afterOperationId, limit }, context) {
      const actor = actorOf(context);
      const size = pageSize(limit, 100, 1000);
      if (afterOperationId === 0n) await insertAudit(pool, { actor, action: 'reconcile' });
      const { tooOld: _, unpaid, ...found } = await reconcile(during(context), afterOperationId, size);
      await auditRepairs(pool, actor, 'reconcile', { ...found, unpaid });
      return { ...found, notAdmitted: [...found.notAdmitted, ...unpaid] };
    },
  };
}

async function getRecord({ pool }: Dependencies, operationId: bigint): Promise<FullRecordRow> {
  const row = await findRecord(pool, operationId);
  if (!row) throw fail(FailureCode.NOT_FOUND, `There is no operation ${operationId}.`);
  return row;
}

/** 0 means the default. */
function pageSize(asked: number, byDefault: number, max: number): number {
  if (asked < 0 || asked > max) throw fail(FailureCode.INVALID_REQUEST, `limit must be from 1 to ${max}.`);
  return asked || byDefault;
}
