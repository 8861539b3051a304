import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ChargeRequest, ChargeResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { outcomeOf, toAdmission } from './admission.ts';
import type { Dependencies } from './dependencies.ts';

export async function charge(
  { postings }: Dependencies,
  request: ChargeRequest,
): Promise<MessageInitShape<typeof ChargeResponseSchema>> {
  return { outcome: outcomeOf(await postings.admit(toAdmission('charge', request))) };
}
