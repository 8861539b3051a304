import { create } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import {
  type RequeueOperationRequest,
  type RequeueOperationResponse,
  RequeueOperationResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { insertAudit } from '../db/audit.ts';
import { makeDue } from '../db/job.ts';
import { findRecord } from '../db/operation-record.ts';
import type { Dependencies } from '../dependencies.ts';

export async function requeueOperation(
  deps: Dependencies,
  { operationId }: RequeueOperationRequest,
  context: HandlerContext,
): Promise<RequeueOperationResponse> {
  if (!(await findRecord(deps.pool, operationId)))
    throw fail(FailureCode.NOT_FOUND, `There is no operation ${operationId}.`);
  await insertAudit(deps.pool, { actor: actorOf(context), action: 'requeue', operationId });
  const requeued = await makeDue(deps.pool, operationId);
  if (requeued) deps.dispatch();
  return create(RequeueOperationResponseSchema, { requeued });
}
