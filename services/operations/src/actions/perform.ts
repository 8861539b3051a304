import type { Claim } from '../db/claim.ts';
import type { ActionDependencies, ActionOutput, Bounds } from './action.ts';
import { performCompanySearch } from './company-search/company-search.ts';
import { performObservationSearch } from './observation-search.ts';
import { failSandboxQuery } from './sandbox-outcome.ts';

export async function perform(
  deps: ActionDependencies,
  { operation, fence }: Pick<Claim, 'operation' | 'fence'>,
  bounds: Bounds,
): Promise<ActionOutput> {
  const { input } = operation;
  switch (input.action) {
    case 'company_search':
      failSandboxQuery(operation, input.form.query);
      return await performCompanySearch(deps, operation, fence, input.form, bounds);
    case 'observation_search':
      failSandboxQuery(operation, input.form.query);
      return await performObservationSearch(deps, operation, input.form, bounds);
    default:
      throw new Error(`a ${input.action} is performed before it is accepted, never by a run`);
  }
}
