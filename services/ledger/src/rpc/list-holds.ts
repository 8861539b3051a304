import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ListHoldsRequest, ListHoldsResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { readHighestOperationId } from '../db/hold.ts';
import { listOldHolds } from '../db/posting.ts';
import type { Dependencies } from './dependencies.ts';
import { requirePageSize } from './input.ts';
import { holdMessage } from './messages.ts';

export async function listHolds(
  { pool }: Dependencies,
  { olderThan, limit }: ListHoldsRequest,
): Promise<MessageInitShape<typeof ListHoldsResponseSchema>> {
  const holds = await listOldHolds(pool, olderThan && timestampDate(olderThan), requirePageSize(limit, 100, 1_000));
  return { holds: holds.map(holdMessage), highestOperationId: await readHighestOperationId(pool) };
}
