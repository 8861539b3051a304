import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ReleaseRequest, ReleaseResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Dependencies } from './dependencies.ts';
import { HOLD_STATES } from './messages.ts';
import { answerMismatch } from './mismatch.ts';
import { toOperation } from './operation.ts';

export async function release(
  dependencies: Dependencies,
  request: ReleaseRequest,
): Promise<MessageInitShape<typeof ReleaseResponseSchema>> {
  const answer = await answerMismatch(dependencies, dependencies.postings.release(toOperation(request)));
  return 'mismatch' in answer ? answer : { state: HOLD_STATES[answer.hold.state] };
}
