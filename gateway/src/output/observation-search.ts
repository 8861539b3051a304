import type { ObservationSearchResult } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { ObservationResult } from '../schema/observation-search.ts';
import { renderObservation } from './observation.ts';
import type { OperationContext } from './operation.ts';
import { renderRetrieval } from './search.ts';

export function renderObservationSearch(context: OperationContext, result: ObservationSearchResult): ObservationResult {
  return { ...context, ...renderRetrieval(result), observations: result.observations.map(renderObservation) };
}
