import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import type {
  WithdrawEvidenceRequest,
  WithdrawEvidenceResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { withdrawEvidenceRow } from '../db/evidence.ts';
import { withdrawObservation } from '../db/observation.ts';
import type { Dependencies } from '../dependencies.ts';
import { applyWithdrawal } from '../withdrawal/apply-withdrawal.ts';
import { checkReason } from './arguments.ts';

export async function withdrawEvidence(
  dependencies: Dependencies,
  { observationId, evidenceId, reason }: WithdrawEvidenceRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof WithdrawEvidenceResponseSchema>> {
  checkReason(reason);
  const entry = { actor: actorOf(context), observationId, evidenceId: evidenceId || undefined, reason };
  return await applyWithdrawal(dependencies, { ...entry, action: 'withdraw' }, (client) =>
    evidenceId
      ? withdrawEvidenceRow(client, observationId, evidenceId, reason)
      : withdrawObservation(client, observationId, reason),
  );
}
