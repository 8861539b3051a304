import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  RestoreEvidenceRequest,
  RestoreEvidenceResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { restoreEvidenceRow } from '../db/evidence.ts';
import { restoreObservation } from '../db/observation.ts';
import { findHoldingTakeDown } from '../db/take-down-hit.ts';
import type { Dependencies } from '../dependencies.ts';
import { applyWithdrawal } from '../withdrawal/apply-withdrawal.ts';

export async function restoreEvidence(
  dependencies: Dependencies,
  { observationId, evidenceId }: RestoreEvidenceRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof RestoreEvidenceResponseSchema>> {
  const entry = { actor: actorOf(context), observationId, evidenceId: evidenceId || undefined, reason: undefined };
  return await applyWithdrawal(dependencies, { ...entry, action: 'restore' }, async (client) => {
    const holding = await findHoldingTakeDown(client, { observationId, evidenceId });
    if (holding !== undefined)
      throw fail(FailureCode.INVALID_REQUEST, `Take-down ${holding} keeps it withdrawn: lift that first.`);
    return evidenceId
      ? await restoreEvidenceRow(client, observationId, evidenceId)
      : await restoreObservation(client, observationId);
  });
}
