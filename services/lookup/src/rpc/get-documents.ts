import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetDocumentsRequest, GetDocumentsResponseSchema } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { readCompanyDocuments } from '../changes/company-document.ts';
import { readObservationDocuments } from '../changes/observation-document.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkAtMost } from './arguments.ts';

const MAX_IDS = 1000;

export async function getDocuments(
  { reads }: Dependencies,
  { observationIds, companyIds }: GetDocumentsRequest,
): Promise<MessageInitShape<typeof GetDocumentsResponseSchema>> {
  checkAtMost('observation_ids', observationIds.length, MAX_IDS);
  checkAtMost('company_ids', companyIds.length, MAX_IDS);
  const [observations, companies] = await Promise.all([
    reads.read((db) => readObservationDocuments(db, observationIds)),
    reads.read((db) => readCompanyDocuments(db, companyIds)),
  ]);
  return { observations, companies };
}
