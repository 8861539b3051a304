import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ListTakeDownsRequest, ListTakeDownsResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { listTakeDowns as readTakeDowns } from '../db/take-down.ts';
import type { Dependencies } from '../dependencies.ts';
import { scopeMessage } from '../withdrawal/take-down-scope.ts';

export async function listTakeDowns(
  { pool }: Dependencies,
  { liftedToo }: ListTakeDownsRequest,
): Promise<MessageInitShape<typeof ListTakeDownsResponseSchema>> {
  const entries = await readTakeDowns(pool, liftedToo);
  return {
    takeDowns: entries.map((entry) => ({
      id: entry.id,
      scope: scopeMessage(entry),
      reason: entry.reason,
      caller: entry.caller,
      at: timestampFromDate(entry.at),
      ...(entry.liftedAt && { liftedAt: timestampFromDate(entry.liftedAt) }),
      liftedReason: entry.liftedReason ?? '',
      observations: entry.observations,
    })),
  };
}
