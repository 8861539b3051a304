import { create } from '@bufbuild/protobuf';
import {
  type DiagnosticResult,
  DiagnosticResultSchema,
  type OperationAnswer,
} from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { Hydrated } from '../actions/action.ts';
import type { CompanySearchForm } from '../input/form.ts';
import type { SubscriptionState } from '../ledger/ledger.ts';
import type { Operation } from '../operation/operation.ts';
import type { StoredResult } from '../operation/result.ts';
import { renderCompanyLookup } from './company-lookup.ts';
import { renderCompanySearch } from './company-search.ts';
import { renderObservationLookup } from './observation-lookup.ts';
import { renderObservationSearch } from './observation-search.ts';

/** What a result is rendered from, beside what is stored: the record and the subscription as they are now. */
export interface Present {
  /** One an item of the result. */
  readonly hydrated: readonly Hydrated[];
  /** Where each survivor stands first on the shortlist; only for pages of one. */
  readonly firstPositions: ReadonlyMap<bigint, number>;
  /** Only for diagnostics. */
  readonly subscription: SubscriptionState | undefined;
}

/** The one way from references to an answer: first answers, retries and polls alike. */
export function renderResult(operation: Operation, result: StoredResult, now: Present): OperationAnswer['outcome'] {
  const { details } = result;
  switch (details.action) {
    case 'company_search': {
      const form = operation.input.form as CompanySearchForm;
      const value = renderCompanySearch(form, result, details, now.hydrated, now.firstPositions);
      return { case: 'companySearch', value };
    }
    case 'observation_search':
      return { case: 'observationSearch', value: renderObservationSearch(result, now.hydrated) };
    case 'company_lookup':
      return { case: 'companyLookup', value: renderCompanyLookup(result, details, now.hydrated) };
    case 'observation_lookup':
      return { case: 'observationLookup', value: renderObservationLookup(result, details, now.hydrated) };
    case 'diagnostic':
      return { case: 'diagnostic', value: renderDiagnostic(now.subscription) };
  }
}

function renderDiagnostic(subscription: SubscriptionState | undefined): DiagnosticResult {
  if (!subscription) throw new Error('a diagnostic needs the present state of the subscription');
  return create(DiagnosticResultSchema, { plan: subscription.plan, subscriptionStatus: subscription.status });
}
