import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListEvidenceRequest, ListEvidenceResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Dependencies } from '../dependencies.ts';
import { listKeptEvidence } from '../verification/kept-evidence.ts';
import { checkBetween } from './arguments.ts';

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 1000;

export async function listEvidence(
  { pool }: Dependencies,
  request: ListEvidenceRequest,
): Promise<MessageInitShape<typeof ListEvidenceResponseSchema>> {
  const limit = request.limit || DEFAULT_LIMIT;
  checkBetween('limit', limit, 1, MAX_LIMIT);
  const rows = await listKeptEvidence(pool, request.afterId, request.source, limit + 1);
  return { evidence: rows.slice(0, limit), hasMore: rows.length > limit };
}
