import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { HydrateRequest, HydrateResponseSchema } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { type HydratedReference, hydrate as readReferences } from '../hydration/hydrate.ts';
import { toCompany } from '../hydration/rendered-observation.ts';
import { checkAtMost } from './arguments.ts';

const MAX_COMPANIES = 1000;
const MAX_OBSERVATIONS = 5000;

export async function hydrate(
  { reads }: Dependencies,
  request: HydrateRequest,
): Promise<MessageInitShape<typeof HydrateResponseSchema>> {
  checkAtMost('companies', request.companies.length, MAX_COMPANIES);
  checkAtMost('observation_ids', request.companies.flatMap((one) => one.observationIds).length, MAX_OBSERVATIONS);
  const judgedAt = request.expiryJudgedAt && timestampDate(request.expiryJudgedAt);
  const { references, readAt } = await reads.read((db) => readReferences(db, request.companies, judgedAt));
  return { companies: references.map(toHydratedCompany), readAt: timestampFromDate(readAt) };
}

function toHydratedCompany({ company, rows }: HydratedReference) {
  if (!company) return { survivorId: 0n };
  if (rows.length === 0) return { survivorId: company.id };
  return { survivorId: company.id, company: toCompany(company.id, company.name, rows) };
}
