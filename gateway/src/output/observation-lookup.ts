import type { ObservationLookupResult as ObservationLookupMessage } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { ObservationLookupResult } from '../schema/observation-lookup.ts';
import { renderObservation } from './observation.ts';
import type { OperationContext } from './operation.ts';
import { formatInstant } from './values.ts';

export function renderObservationLookup(
  context: OperationContext,
  result: ObservationLookupMessage,
): ObservationLookupResult {
  return {
    ...context,
    observations: result.observations.map(renderObservation),
    domains: result.domains.map(({ hostname, found }) => ({ hostname, status: found ? 'found' : 'not_found' })),
    as_of: formatInstant(result.asOf, 'as_of'),
    next_cursor: result.nextCursor ?? null,
    coverage_status: 'partial',
    limitations: result.limitations,
    delivery_unit: 'company',
    withheld_units: Number(result.withheldUnits),
  };
}
