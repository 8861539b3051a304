import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type {
  RecordEvidenceRequest,
  RecordEvidenceResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { auditRecorded } from '../recording/audit-recorded.ts';
import { accepted, BatchResults, type Result } from '../recording/batch-results.ts';
import { writeEvidence } from '../recording/write-evidence.ts';
import { withResolutionLock, withSharedResolutionLock } from '../resolution/resolution-lock.ts';
import { checkObservation } from '../validation/check-observation.ts';
import { checkBatch } from './arguments.ts';

export async function recordEvidence(
  dependencies: Dependencies,
  request: RecordEvidenceRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof RecordEvidenceResponseSchema>> {
  const { source } = request;
  checkBatch(source, request.observations.length);
  const checked = request.observations.map((record) => checkObservation(source, record));
  const results = new BatchResults(checked);
  const records = accepted(checked);
  const write = async (client: Queryable, commit?: () => void) => {
    const written = await writeEvidence(client, dependencies.vocabulary, source, records, results);
    const audited = auditRecorded(client, actor, 'record_evidence', source, results.all());
    commit?.();
    await audited;
    return written;
  };
  const { tx, companies } = await (records.some((record) => record.company)
    ? withResolutionLock(dependencies, write)
    : withSharedResolutionLock(dependencies.pool, write));
  dependencies.notifier.notify(tx);
  const observations = results.all().map((result, index) => toResponse(result, companies.get(index)));
  return { observations, tx: tx ?? 0n };
}

function toResponse(result: Result, companyId = 0n) {
  if (result.outcome === RecordOutcome.REFUSED) return { outcome: result.outcome, reason: result.reason };
  return { outcome: result.outcome, observationId: result.id, companyId };
}
