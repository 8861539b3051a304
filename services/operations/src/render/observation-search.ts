import { create } from '@bufbuild/protobuf';
import {
  type ObservationSearchResult,
  ObservationSearchResultSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Hydrated, StoredResult } from '../operation/result.ts';
import { toTimestamp } from '../time.ts';
import { shownObservations } from './observations.ts';

export function renderObservationSearch(result: StoredResult, hydrated: readonly Hydrated[]): ObservationSearchResult {
  const { observations, withheldUnits } = shownObservations(result, hydrated);
  return create(ObservationSearchResultSchema, {
    asOf: toTimestamp(result.asOf),
    retrieval: Retrieval.LEXICAL,
    ...(result.nextCursor !== undefined && { nextCursor: result.nextCursor }),
    withheldUnits: BigInt(withheldUnits),
    observations,
  });
}
