import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import type { QueryMeaning } from '../index/observation-index.ts';

export async function readMeaning(
  { meaning }: Dependencies,
  { query }: Plan,
  context: HandlerContext,
): Promise<QueryMeaning | undefined> {
  const vector = await meaning?.embed(query, { signal: context.signal, timeoutMs: context.timeoutMs() });
  return meaning && vector && { ...meaning.comparison, vector };
}
