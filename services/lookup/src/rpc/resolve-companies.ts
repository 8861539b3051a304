import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ResolveCompaniesRequest,
  ResolveCompaniesResponseSchema,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { resolveCanonicalIds } from '../db/company.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkAtMost } from './arguments.ts';

const MAX_IDS = 200;

export async function resolveCompanies(
  { pool }: Dependencies,
  { ids }: ResolveCompaniesRequest,
): Promise<MessageInitShape<typeof ResolveCompaniesResponseSchema>> {
  checkAtMost('ids', ids.length, MAX_IDS);
  return { survivorIds: await resolveCanonicalIds(pool, ids) };
}
