import type { MessageInitShape } from '@bufbuild/protobuf';
import type { OperationAnswerSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { CompanySearchForm } from '../input/form.ts';
import type { SubscriptionSnapshot } from '../ledger/ledger.ts';
import type { Operation } from '../model/operation.ts';
import type { Hydrated, StoredResult } from '../model/result.ts';
import { renderCompanyLookup } from './company-lookup.ts';
import { renderCompanySearch } from './company-search.ts';
import { renderObservationLookup, renderObservationSearch } from './observations.ts';

export type Outcome = NonNullable<MessageInitShape<typeof OperationAnswerSchema>['outcome']>;

interface CurrentFacts {
  readonly hydrated: readonly Hydrated[];
  readonly earlierCompanies: ReadonlySet<bigint>;
  readonly subscription: SubscriptionSnapshot | undefined;
}

export function renderResult(operation: Operation, result: StoredResult, current: CurrentFacts): Outcome {
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
    case 'diagnostic': {
      const { subscription } = current;
      if (!subscription) throw new Error('a diagnostic needs the present state of the subscription');
      return { case: 'diagnostic', value: { plan: subscription.plan, subscriptionStatus: subscription.status } };
    }
  }
}
