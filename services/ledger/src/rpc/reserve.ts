import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ReserveRequest, ReserveResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { outcomeOf, toAdmission } from './admission.ts';
import type { Dependencies } from './dependencies.ts';
import { answerMismatch } from './mismatch.ts';

export async function reserve(
  dependencies: Dependencies,
  request: ReserveRequest,
): Promise<MessageInitShape<typeof ReserveResponseSchema>> {
  const admitted = dependencies.postings.admit(toAdmission('reserve', request));
  return { outcome: outcomeOf(await answerMismatch(dependencies, admitted)) };
}
