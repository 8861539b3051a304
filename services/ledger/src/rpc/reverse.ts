import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ReverseRequest, ReverseResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { reverse as reversePosting } from '../posting/reverse.ts';
import type { Dependencies } from './dependencies.ts';
import { requireText } from './input.ts';
import { HOLD_STATES } from './messages.ts';
import { answerMismatch } from './mismatch.ts';
import { toOperation } from './operation.ts';

const MAX_REASON = 200;

export async function reverse(
  dependencies: Dependencies,
  request: ReverseRequest,
  caller: string,
): Promise<MessageInitShape<typeof ReverseResponseSchema>> {
  const { pool, postings, logger } = dependencies;
  const operation = toOperation(request);
  const reason = requireText(request.reason, 'reason', 1, MAX_REASON);
  const answer = await answerMismatch(dependencies, reversePosting(pool, postings, operation, { caller, reason }));
  if ('mismatch' in answer) return answer;
  const { state, reversed } = answer;
  if (reversed) logger.warn({ operation_id: String(operation.operationId), reason }, 'settlement reversed');
  return { state: HOLD_STATES[state], reversed };
}
