import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ReleaseRequest, ReleaseResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { Dependencies } from './dependencies.ts';
import { requireId } from './input.ts';
import { HOLD_STATES } from './messages.ts';

export async function release(
  { postings }: Dependencies,
  { operationId }: ReleaseRequest,
): Promise<MessageInitShape<typeof ReleaseResponseSchema>> {
  const { hold } = await postings.release(requireId(operationId, 'operation_id'));
  return { state: HOLD_STATES[hold.state] };
}
