import { create } from '@bufbuild/protobuf';
import {
  type DiagnosticResult,
  DiagnosticResultSchema,
  type ObservationSearchResult,
  ObservationSearchResultSchema,
  type OperationAnswer,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { CompanySearchForm } from '../input/form.ts';
import type { SubscriptionSnapshot } from '../ledger/ledger.ts';
import type { Operation } from '../model/operation.ts';
import type { Hydrated, StoredResult } from '../model/result.ts';
import { toTimestamp } from '../time.ts';
import { renderCompanyLookup } from './company-lookup.ts';
import { renderCompanySearch } from './company-search.ts';
import { renderObservationLookup } from './observation-lookup.ts';
import { shownObservations } from './observations.ts';

export interface CurrentFacts {
  readonly hydrated: readonly Hydrated[];
  readonly earlierCompanies: ReadonlySet<bigint>;
  readonly subscription: SubscriptionSnapshot | undefined;
}

export function renderResult(
  operation: Operation,
  result: StoredResult,
  current: CurrentFacts,
): OperationAnswer['outcome'] {
  const { details } = result;
  switch (details.action) {
    case 'company_search': {
      const form = operation.input.form as CompanySearchForm;
      const value = renderCompanySearch(form, result, details, current.hydrated, current.earlierCompanies);
      return { case: 'companySearch', value };
    }
    case 'observation_search':
      return { case: 'observationSearch', value: renderObservationSearch(result, current.hydrated) };
    case 'company_lookup':
      return { case: 'companyLookup', value: renderCompanyLookup(result, details, current.hydrated) };
    case 'observation_lookup':
      return { case: 'observationLookup', value: renderObservationLookup(result, details, current.hydrated) };
    case 'diagnostic':
      return { case: 'diagnostic', value: renderDiagnostic(current.subscription) };
  }
}

function renderDiagnostic(subscription: SubscriptionSnapshot | undefined): DiagnosticResult {
  if (!subscription) throw new Error('a diagnostic needs the present state of the subscription');
  return create(DiagnosticResultSchema, { plan: subscription.plan, subscriptionStatus: subscription.status });
}

function renderObservationSearch(result: StoredResult, hydrated: readonly Hydrated[]): ObservationSearchResult {
  const { observations, withheldUnits } = shownObservations(result, hydrated);
  return create(ObservationSearchResultSchema, {
    asOf: toTimestamp(result.asOf),
    retrieval: Retrieval.LEXICAL,
    ...(result.nextCursor !== undefined && { nextCursor: result.nextCursor }),
    withheldUnits: BigInt(withheldUnits),
    observations,
  });
}
