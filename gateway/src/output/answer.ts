import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { publicCode } from '../errors/failure.ts';
import type { CompanyLookupResult } from '../schema/company-lookup.ts';
import type { CompanyResult } from '../schema/company-search.ts';
import type { DiagnosticResult } from '../schema/diagnostic.ts';
import type { ErrorBody } from '../schema/error.ts';
import type { ObservationLookupResult } from '../schema/observation-lookup.ts';
import type { ObservationResult } from '../schema/observation-search.ts';
import type { Pending } from '../schema/operation.ts';
import { renderCompanyLookup } from './company-lookup.ts';
import { type Headers, LICENCE_LINK, renderOperationHeaders } from './headers.ts';
import { renderObservationLookup } from './observation-lookup.ts';
import { renderContext } from './operation.ts';
import { renderCompanySearch, renderObservationSearch } from './search.ts';

/** REST maps `kind` to a status; MCP puts the headers into `_meta`. */
export interface Answer<Body = unknown> {
  readonly kind: 'finished' | 'pending' | 'failed';
  readonly body: Body;
  readonly headers: Headers;
}

export type OperationBody =
  | CompanyResult
  | ObservationResult
  | CompanyLookupResult
  | ObservationLookupResult
  | DiagnosticResult
  | Pending
  | ErrorBody;

const POLL_SECONDS = '2';

/** The only rendering of an operation, for REST, MCP, first answers, replays and polls. */
export function renderAnswer(answer: OperationAnswer): Answer<OperationBody> {
  const context = renderContext(answer);
  const headers = renderOperationHeaders(answer);
  const finished = (body: OperationBody) =>
    ({ kind: 'finished', body, headers: { ...headers, link: LICENCE_LINK } }) as const;
  const { outcome } = answer;
  switch (outcome.case) {
    case 'pending': {
      const location = `/api/usages/${context.usage.id}`;
      return { kind: 'pending', body: context, headers: { ...headers, location, 'retry-after': POLL_SECONDS } };
    }
    case 'failed': {
      const error = { code: publicCode(outcome.value), message: outcome.value.message };
      return { kind: 'failed', body: { error, ...context }, headers };
    }
    case 'companySearch':
      return finished(renderCompanySearch(context, outcome.value));
    case 'observationSearch':
      return finished(renderObservationSearch(context, outcome.value));
    case 'companyLookup':
      return finished(renderCompanyLookup(context, outcome.value));
    case 'observationLookup':
      return finished(renderObservationLookup(context, outcome.value));
    case 'diagnostic': {
      const { plan, subscriptionStatus } = outcome.value;
      return finished({ status: 'ok', subscription: { plan, status: subscriptionStatus }, ...context });
    }
    case undefined:
      throw new Error('the answer of operations lacks an outcome');
  }
}
