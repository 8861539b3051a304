import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ReserveRequest, ReserveResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { outcomeOf, toAdmission } from './admission.ts';
import type { Deps } from './dependencies.ts';

export async function reserve(
  { movements }: Deps,
  request: ReserveRequest,
): Promise<MessageInitShape<typeof ReserveResponseSchema>> {
  return { outcome: outcomeOf(await movements.admit(toAdmission('reserve', request))) };
}
