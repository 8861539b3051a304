import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ChargeRequest, ChargeResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { outcomeOf, toAdmission } from './admission.ts';
import type { Dependencies } from './dependencies.ts';
import { answerMismatch } from './mismatch.ts';

export async function charge(
  dependencies: Dependencies,
  request: ChargeRequest,
): Promise<MessageInitShape<typeof ChargeResponseSchema>> {
  const admitted = dependencies.postings.admit(toAdmission('charge', request));
  return { outcome: outcomeOf(await answerMismatch(dependencies, admitted)) };
}
