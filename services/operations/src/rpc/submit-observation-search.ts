import { create } from '@bufbuild/protobuf';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { ObservationSearchInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import {
  type SubmitObservationSearchRequest,
  type SubmitObservationSearchResponse,
  SubmitObservationSearchResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { effectiveLimit } from '../actions/effective-search.ts';
import { openObservedPage, searchObservations } from '../actions/observation-search.ts';
import { checkPageLimit } from '../actions/page-limit.ts';
import { scriptedRoute } from '../actions/scripted.ts';
import type { Dependencies } from '../dependencies.ts';
import { fingerprint } from '../input/fingerprint.ts';
import type { ObservationSearchForm } from '../input/form.ts';
import { parseObservationSearch } from '../input/parse.ts';
import { parseRequestKey } from '../input/request-key.ts';
import type { Route } from '../submission/submission.ts';
import { submit } from '../submission/submit.ts';
import { principalOf } from './principal.ts';
import { waitMsOf } from './submit.ts';

/** POST /api/observations/search, POST /api/usages. */
export async function submitObservationSearch(
  deps: Dependencies,
  request: SubmitObservationSearchRequest,
  context: HandlerContext,
): Promise<SubmitObservationSearchResponse> {
  const principal = await principalOf(deps.ledger, request.caller, context);
  const requestKey = parseRequestKey(request.requestKey);
  const form = parseObservationSearch(request.input ?? create(ObservationSearchInputSchema));
  const input = { action: 'observation_search', form } as const;
  const { background } = request;
  const submission = {
    principal,
    requestKey,
    input,
    fingerprint: fingerprint(input),
    background,
    waitMs: waitMsOf(deps.config, request.waitMs),
    admit: (now: Date) => admit(deps, principal, form, background, now),
  };
  return create(SubmitObservationSearchResponseSchema, { answer: await submit(deps, submission, context) });
}

/** Known to the unit after a read; queued, the worst case is held until a worker has read it. */
function admit(
  deps: Dependencies,
  principal: Principal,
  form: ObservationSearchForm,
  background: boolean,
  now: Date,
): Route {
  const limit = effectiveLimit(form);
  checkPageLimit(limit, principal);
  const start = openObservedPage(deps.work, principal.accountId, form, now);
  const scripted = scriptedRoute(deps.config, principal, form.query, limit);
  if (scripted) return scripted;
  if (background) return { kind: 'hold', worstCaseUnits: limit };
  return {
    kind: 'charge',
    work: (bounds) => searchObservations(deps.work, principal.accountId, form, start, bounds),
  };
}
