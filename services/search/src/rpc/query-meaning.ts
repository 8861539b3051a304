import { inSpan } from '@ces/chassis/telemetry/span';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import type { QueryMeaning } from '../ranking/ranking.ts';

export async function readMeaning(
  { meaning }: Dependencies,
  { query }: Plan,
  context: HandlerContext,
): Promise<QueryMeaning | undefined> {
  if (!meaning) return undefined;
  const bounds = { signal: context.signal, timeoutMs: context.timeoutMs() };
  const vector = await inSpan('embed query', {}, () => meaning.embed(query, bounds));
  return vector && { ...meaning.comparison, vector };
}
