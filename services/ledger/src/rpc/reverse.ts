import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ReverseRequest, ReverseResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { reverse as reversePosting } from '../posting/reverse.ts';
import type { Dependencies } from './dependencies.ts';
import { requireId, requireText } from './input.ts';
import { HOLD_STATES } from './messages.ts';

const MAX_REASON = 200;

export async function reverse(
  { pool, postings, logger }: Dependencies,
  request: ReverseRequest,
  caller: string,
): Promise<MessageInitShape<typeof ReverseResponseSchema>> {
  const operationId = requireId(request.operationId, 'operation_id');
  const reason = requireText(request.reason, 'reason', 1, MAX_REASON);
  const { state, reversed } = await reversePosting(pool, postings, { operationId, caller, reason });
  if (reversed) logger.warn({ operation_id: String(operationId), reason }, 'a settlement is taken back');
  return { state: HOLD_STATES[state], reversed };
}
