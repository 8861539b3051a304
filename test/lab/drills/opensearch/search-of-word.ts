import { create } from '@bufbuild/protobuf';
import { KINDS } from '@ces/proto/catalog';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { PlanSchema, Retrieval, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { Code } from '@connectrpc/connect';

/** Retryable codes. */
export const DECLARED: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.ResourceExhausted]);

export function searchOfWord(word: string) {
  return {
    plan: create(PlanSchema, {
      version: 1,
      planner: 'drill',
      retrieval: Retrieval.LEXICAL,
      activity: [{ words: [word], weight: 1, text: word }],
    }),
    filters: create(SearchFiltersSchema, { kinds: KINDS.filter((kind) => kind !== Kind.COMPANY_PROFILE) }),
  };
}
