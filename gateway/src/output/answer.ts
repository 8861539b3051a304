import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { CompanyLookupResult } from '../schema/company-lookup.ts';
import type { CompanyResult } from '../schema/company-search.ts';
import type { DiagnosticResult } from '../schema/diagnostic.ts';
import type { ErrorBody } from '../schema/error.ts';
import type { ObservationLookupResult } from '../schema/observation-lookup.ts';
import type { ObservationResult } from '../schema/observation-search.ts';
import type { Pending } from '../schema/operation.ts';
import { renderCompanyLookup } from './company-lookup.ts';
import { publicCode } from './failure.ts';
import { renderObservationLookup } from './observation-lookup.ts';
import { renderObservationSearch } from './observation-search.ts';
import { renderContext } from './operation.ts';
import { renderCompanySearch } from './search.ts';

type Result = CompanyResult | ObservationResult | CompanyLookupResult | ObservationLookupResult | DiagnosticResult;

/** What can be said of an operation now, in the words of the interface. */
export type RenderedAnswer =
  | { readonly kind: 'finished'; readonly body: Result }
  | { readonly kind: 'pending'; readonly body: Pending }
  | { readonly kind: 'failed'; readonly body: ErrorBody };

/** The one place that turns an operation into a body; REST and MCP, first answer, replay and poll all come here. */
export function renderAnswer(answer: OperationAnswer): RenderedAnswer {
  const context = renderContext(answer);
  const { outcome } = answer;
  switch (outcome.case) {
    case 'pending':
      return { kind: 'pending', body: context };
    case 'failed':
      return {
        kind: 'failed',
        body: { error: { code: publicCode(outcome.value), message: outcome.value.message }, ...context },
      };
    case 'companySearch':
      return { kind: 'finished', body: renderCompanySearch(context, outcome.value) };
    case 'observationSearch':
      return { kind: 'finished', body: renderObservationSearch(context, outcome.value) };
    case 'companyLookup':
      return { kind: 'finished', body: renderCompanyLookup(context, outcome.value) };
    case 'observationLookup':
      return { kind: 'finished', body: renderObservationLookup(context, outcome.value) };
    case 'diagnostic': {
      const { plan, subscriptionStatus } = outcome.value;
      return {
        kind: 'finished',
        body: { status: 'ok', subscription: { plan, status: subscriptionStatus }, ...context },
      };
    }
    case undefined:
      throw new Error('the answer of operations lacks an outcome');
  }
}
