import type { Queryable } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Claim } from '../db/job.ts';
import type { CompanySearchForm } from '../input/form.ts';
import type { Operation } from '../operation/operation.ts';
import { scriptedOutcome } from '../operation/sandbox.ts';
import type { Bounds, Work, WorkTools } from './action.ts';
import { searchCompanies } from './company-search/company-search.ts';
import { continueSearch, openPage } from './company-search/later-page.ts';
import { openObservedPage, searchObservations } from './observation-search.ts';

/** Does the work of an accepted operation; writes nothing. The same for callers who wait and for nobody. */
export async function perform(
  db: Queryable,
  tools: WorkTools,
  { operation, fence }: Pick<Claim, 'operation' | 'fence'>,
  bounds: Bounds,
): Promise<Work> {
  const { input, accountId, createdAt } = operation;
  switch (input.action) {
    case 'company_search': {
      failAsScripted(operation, input.form.query);
      if (!isLaterPage(input.form)) return await searchCompanies(tools, operation, fence, input.form, bounds);
      const start = await openPage(db, tools.cursorKeys, accountId, input.form, createdAt);
      return await continueSearch(tools, input.form, start, bounds);
    }
    case 'observation_search': {
      failAsScripted(operation, input.form.query);
      const start = openObservedPage(tools, accountId, input.form, createdAt);
      return await searchObservations(tools, accountId, input.form, start, bounds);
    }
    default:
      throw new Error(`a ${input.action} is never left to a run`);
  }
}

export function isLaterPage(form: CompanySearchForm): form is CompanySearchForm & { readonly cursor: string } {
  return form.cursor !== undefined;
}

function failAsScripted(operation: Operation, query: string): void {
  const scripted = scriptedOutcome(operation.testMode, query);
  if (scripted === 'planning_unavailable')
    throw fail(FailureCode.PLANNING_UNAVAILABLE, 'The search could not be prepared; submit it with a new request key.');
  if (scripted === 'failed') throw fail(FailureCode.SEARCH_FAILED, 'The search failed.');
}
