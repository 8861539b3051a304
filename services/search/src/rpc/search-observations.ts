import type { SearchObservationsRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { wordsOf } from '../text/words.ts';
import { requireCount, requireFilters, requireText } from './checks.ts';

const QUERY_CODE_POINTS = 500;

/** Returns observations that contain every word of the query, newest observed first. */
export async function searchObservations(
  { index }: Dependencies,
  request: SearchObservationsRequest,
  context: HandlerContext,
) {
  const limit = requireCount(request.limit, 1, 51, 'limit');
  const words = [...new Set(wordsOf(requireText(request.query, QUERY_CODE_POINTS, 'A query')))];
  const filters = requireFilters(request.filters);
  if (words.length === 0) return { hits: [], hasMore: false };
  const hits = await index.findLiterally({
    words,
    filters,
    recordedBy: request.recordedBy,
    before: request.beforeObservedAt && { observedAt: request.beforeObservedAt, id: request.beforeId },
    limit: limit + 1,
    timeoutMs: context.timeoutMs(),
  });
  return { hits: hits.slice(0, limit), hasMore: hits.length > limit };
}
