import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ObservationLookupResultSchema,
  ObservationSearchResultSchema,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { distinctCompanies } from '../actions/action.ts';
import type { Hydrated, ObservationLookupDetails, StoredResult } from '../model/result.ts';
import { toTimestamp } from '../time.ts';
import { CONSTANT_LIMITATIONS, currentLimitations } from './limitations.ts';

export function renderObservationSearch(
  result: StoredResult,
  hydrated: readonly Hydrated[],
): MessageInitShape<typeof ObservationSearchResultSchema> {
  return { ...shownObservations(result, hydrated), retrieval: Retrieval.LEXICAL };
}

export function renderObservationLookup(
  result: StoredResult,
  { domains }: ObservationLookupDetails,
  hydrated: readonly Hydrated[],
): MessageInitShape<typeof ObservationLookupResultSchema> {
  const shown = shownObservations(result, hydrated);
  return {
    ...shown,
    domains: domains.map(({ hostname, found }) => ({ hostname, found })),
    limitations: currentLimitations(CONSTANT_LIMITATIONS, Number(shown.withheldUnits)),
  };
}

function shownObservations(result: StoredResult, hydrated: readonly Hydrated[]) {
  const shown = hydrated.filter((one) => one.company);
  const observations = new Map(
    shown.flatMap(({ company }) => company?.observations ?? []).map((observation) => [observation.id, observation]),
  );
  const companies = distinctCompanies(shown.map((one) => one.survivorId));
  return {
    asOf: toTimestamp(result.asOf),
    observations: [...observations.values()],
    ...(result.nextCursor !== undefined && { nextCursor: result.nextCursor }),
    withheldUnits: BigInt(result.settledCompanyIds.length - companies.length),
  };
}
