import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SettleRequest, SettleResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUnits } from './input.ts';
import { answerMismatch } from './mismatch.ts';
import { toOperation } from './operation.ts';

/** A bug of the caller is logged and answered with an internal error. */
export async function settle(
  dependencies: Dependencies,
  request: SettleRequest,
): Promise<MessageInitShape<typeof SettleResponseSchema>> {
  const settled = dependencies.postings.settle(toOperation(request), requireUnits(request.units));
  const answer = await answerMismatch(dependencies, settled);
  if ('mismatch' in answer) return answer;
  return { ...(answer.allowance && { allowance: answer.allowance }) };
}
