import { create } from '@bufbuild/protobuf';
import {
  type ObservationLookupResult,
  ObservationLookupResultSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Hydrated, ObservationLookupDetails, StoredResult } from '../model/result.ts';
import { toTimestamp } from '../time.ts';
import { CONSTANT_LIMITATIONS, currentLimitations } from './limitations.ts';
import { shownObservations } from './observations.ts';

export function renderObservationLookup(
  result: StoredResult,
  details: ObservationLookupDetails,
  hydrated: readonly Hydrated[],
): ObservationLookupResult {
  const { observations, withheldUnits } = shownObservations(result, hydrated);
  return create(ObservationLookupResultSchema, {
    asOf: toTimestamp(result.asOf),
    observations,
    domains: details.domains.map(({ hostname, found }) => ({ hostname, found })),
    ...(result.nextCursor !== undefined && { nextCursor: result.nextCursor }),
    limitations: currentLimitations(CONSTANT_LIMITATIONS, withheldUnits),
    withheldUnits: BigInt(withheldUnits),
  });
}
