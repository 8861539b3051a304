import type { Observation } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { distinctCompanies } from '../actions/action.ts';
import type { Hydrated, StoredResult } from '../model/result.ts';

export function shownObservations(
  result: StoredResult,
  hydrated: readonly Hydrated[],
): { readonly observations: Observation[]; readonly withheldUnits: number } {
  const shown = hydrated.filter((one) => one.company);
  const observations = new Map(
    shown.flatMap(({ company }) => company?.observations ?? []).map((observation) => [observation.id, observation]),
  );
  const companies = distinctCompanies(shown.map((one) => one.survivorId));
  return {
    observations: [...observations.values()],
    withheldUnits: result.settledCompanyIds.length - companies.length,
  };
}
