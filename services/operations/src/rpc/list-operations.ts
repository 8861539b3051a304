import { create } from '@bufbuild/protobuf';
import {
  type ListOperationsRequest,
  type ListOperationsResponse,
  ListOperationsResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { listRecords } from '../db/operation-record.ts';
import type { Dependencies } from '../dependencies.ts';
import { renderRecord, statesOf } from '../render/operation-record.ts';
import { pageSize } from './page-size.ts';

export async function listOperations(
  { pool }: Dependencies,
  { accountId, status, beforeId, limit }: ListOperationsRequest,
): Promise<ListOperationsResponse> {
  const states = statesOf(status);
  const filter = { ...(accountId && { accountId }), ...(beforeId && { beforeId }), ...(states && { states }) };
  const rows = await listRecords(pool, filter, pageSize(limit, 50, 1000));
  return create(ListOperationsResponseSchema, { operations: rows.map(renderRecord) });
}
