import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ReserveRequest, ReserveResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { outcomeOf, toAdmission } from './admission.ts';
import type { Dependencies } from './dependencies.ts';

export async function reserve(
  { postings }: Dependencies,
  request: ReserveRequest,
): Promise<MessageInitShape<typeof ReserveResponseSchema>> {
  return { outcome: outcomeOf(await postings.admit(toAdmission('reserve', request))) };
}
