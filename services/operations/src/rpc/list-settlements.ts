import { create } from '@bufbuild/protobuf';
import {
  type ListSettlementsRequest,
  type ListSettlementsResponse,
  ListSettlementsResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { listSettlements as selectSettlements } from '../db/operation-record.ts';
import type { Dependencies } from '../dependencies.ts';
import { renderSettlement } from '../render/operation-record.ts';
import { pageSize } from './page-size.ts';

export async function listSettlements(
  { pool, config }: Dependencies,
  { afterOperationId, limit }: ListSettlementsRequest,
): Promise<ListSettlementsResponse> {
  const rows = await selectSettlements(pool, afterOperationId, pageSize(limit, 1000, 5000), config.retentionMs);
  return create(ListSettlementsResponseSchema, { settlements: rows.map(renderSettlement) });
}
