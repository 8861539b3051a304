import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Actor } from '@ces/chassis/rpc/caller';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type {
  RecordCompaniesRequest,
  RecordCompaniesResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { keyedFormerNames } from '../matching/company-facts.ts';
import { keyOfName } from '../matching/legal-name.ts';
import { auditRecorded } from '../recording/audit-recorded.ts';
import { accepted, BatchResults, type Result } from '../recording/batch-results.ts';
import { writeCompanies } from '../recording/write-companies.ts';
import { withSharedResolutionLock } from '../resolution/resolution-lock.ts';
import { checkCompany } from '../validation/check-company.ts';
import { checkBatch } from './arguments.ts';

export async function recordCompanies(
  { pool, notifier, vocabulary }: Dependencies,
  request: RecordCompaniesRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof RecordCompaniesResponseSchema>> {
  checkBatch(request.source, request.companies.length);
  const checked = request.companies.map(checkCompany);
  const results = new BatchResults(checked);
  const records = accepted(checked).map((record) => ({
    ...record,
    nameKey: keyOfName(vocabulary, record.name),
    formerNames: keyedFormerNames(vocabulary, record.formerNames),
  }));
  const tx = await withSharedResolutionLock(pool, async (client) => {
    const written = await writeCompanies(client, request.source, records, results);
    await auditRecorded(client, actor, 'record_companies', request.source, results.all());
    return written;
  });
  notifier.notify(tx);
  return { companies: results.all().map(toResponse), tx: tx ?? 0n };
}

function toResponse(result: Result) {
  if (result.outcome === RecordOutcome.REFUSED) return { outcome: result.outcome, reason: result.reason };
  return { outcome: result.outcome, companyId: result.id };
}
