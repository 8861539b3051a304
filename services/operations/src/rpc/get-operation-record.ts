import { create } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import {
  type GetOperationRecordRequest,
  type GetOperationRecordResponse,
  GetOperationRecordResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { insertAudit } from '../db/audit.ts';
import { findRecord } from '../db/operation-record.ts';
import type { Dependencies } from '../dependencies.ts';
import { renderRecord } from '../render/operation-record.ts';

/** Shows a subscriber's text to an operator, and records that in the audit log. */
export async function getOperationRecord(
  { pool }: Dependencies,
  { operationId }: GetOperationRecordRequest,
  context: HandlerContext,
): Promise<GetOperationRecordResponse> {
  const row = await findRecord(pool, operationId);
  if (!row) throw fail(FailureCode.NOT_FOUND, `There is no operation ${operationId}.`);
  await insertAudit(pool, { actor: actorOf(context), action: 'show', operationId });
  return create(GetOperationRecordResponseSchema, {
    operation: renderRecord(row),
    normalFormJson: row.normal_form ?? '',
    planJson: row.plan ?? '',
    resultJson: row.result ?? '',
  });
}
