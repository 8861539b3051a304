import type { MessageInitShape } from '@bufbuild/protobuf';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { GetEvidenceRequest, GetEvidenceResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { findEvidenceReport } from '../db/evidence-report.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getEvidence(
  { pool }: Dependencies,
  { observationId }: GetEvidenceRequest,
): Promise<MessageInitShape<typeof GetEvidenceResponseSchema>> {
  const report = await findEvidenceReport(pool, observationId);
  if (!report) throw fail(FailureCode.NOT_FOUND, 'No observation has that id.');
  return report;
}
