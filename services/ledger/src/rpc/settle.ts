import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SettleRequest, SettleResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Dependencies } from './dependencies.ts';
import { requireId, requireUnits } from './input.ts';

/** Settling a void hold, or more than is held, is a fault of the caller: logged loudly, answered as internal error. */
export async function settle(
  { postings }: Dependencies,
  request: SettleRequest,
): Promise<MessageInitShape<typeof SettleResponseSchema>> {
  const { allowance } = await postings.settle(
    requireId(request.operationId, 'operation_id'),
    requireUnits(request.units),
  );
  return { ...(allowance && { allowance }) };
}
