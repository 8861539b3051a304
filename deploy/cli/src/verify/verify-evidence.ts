import type { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import type { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Client } from '@connectrpc/connect';

interface BrokenObservation {
  readonly observation_id: number;
  readonly evidence_id?: number;
  readonly source?: string;
  readonly problem: string;
}

export interface EvidenceVerification {
  observations: number;
  excerpts: number;
  readonly broken: BrokenObservation[];
}

const PAGE = 500;

/** Compares with its hash and its raw record. Imported lines are their own. */
export async function verifyEvidence(
  record: Client<typeof RecordService>,
  acquisition: Client<typeof AcquisitionAdminService>,
  onProgress: (found: EvidenceVerification) => void,
  signal: AbortSignal,
): Promise<EvidenceVerification> {
  const found: EvidenceVerification = { observations: 0, excerpts: 0, broken: [] };
  for (let afterId = 0n, more = true; more && !signal.aborted; ) {
    const page = await record.verifyRecord({ afterId, limit: PAGE });
    found.observations += page.checked;
    for (const { observationId, reason } of page.unverified)
      found.broken.push({ observation_id: Number(observationId), problem: reason });
    [afterId, more] = [page.lastId, page.hasMore];
    onProgress(found);
  }
  for (let afterId = 0n, more = true; more && !signal.aborted; ) {
    const page = await acquisition.verifyEvidence({ afterId, limit: PAGE });
    found.excerpts += page.checked;
    for (const { observationId, evidenceId, source, problem } of page.broken)
      found.broken.push({
        observation_id: Number(observationId),
        evidence_id: Number(evidenceId),
        source,
        problem,
      });
    [afterId, more] = [page.lastId, page.hasMore];
    onProgress(found);
  }
  return found;
}
