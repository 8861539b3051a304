import { create } from '@bufbuild/protobuf';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { CompanySearchInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import {
  type SubmitCompanySearchRequest,
  type SubmitCompanySearchResponse,
  SubmitCompanySearchResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { continueSearch, openPage } from '../actions/company-search/later-page.ts';
import { effectiveLimit } from '../actions/effective-search.ts';
import { checkPageLimit } from '../actions/page-limit.ts';
import { isLaterPage } from '../actions/perform.ts';
import { scriptedRoute } from '../actions/scripted.ts';
import type { Dependencies } from '../dependencies.ts';
import { fingerprint } from '../input/fingerprint.ts';
import type { CompanySearchForm } from '../input/form.ts';
import { parseCompanySearch } from '../input/parse.ts';
import { parseRequestKey } from '../input/request-key.ts';
import type { Route } from '../submission/submission.ts';
import { submit } from '../submission/submit.ts';
import { principalOf } from './principal.ts';
import { waitMsOf } from './submit.ts';

/** POST /api/companies/search, search_companies. */
export async function submitCompanySearch(
  deps: Dependencies,
  request: SubmitCompanySearchRequest,
  context: HandlerContext,
): Promise<SubmitCompanySearchResponse> {
  const principal = await principalOf(deps.ledger, request.caller, context);
  const requestKey = parseRequestKey(request.requestKey);
  const form = parseCompanySearch(request.input ?? create(CompanySearchInputSchema));
  const input = { action: 'company_search', form } as const;
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
  return create(SubmitCompanySearchResponseSchema, { answer: await submit(deps, submission, context) });
}

/** A first page is searched under a hold; a later one is known to the unit after a read. */
async function admit(
  deps: Dependencies,
  principal: Principal,
  form: CompanySearchForm,
  background: boolean,
  now: Date,
): Promise<Route> {
  const limit = effectiveLimit(form);
  checkPageLimit(limit, principal);
  if (!isLaterPage(form))
    return scriptedRoute(deps.config, principal, form.query, limit) ?? { kind: 'hold', worstCaseUnits: limit };
  const start = await openPage(deps.pool, deps.work.cursorKeys, principal.accountId, form, now);
  const left = start.shortlist.items.length - start.from;
  if (background) return { kind: 'hold', worstCaseUnits: Math.min(limit, left) };
  return { kind: 'charge', work: (bounds) => continueSearch(deps.work, form, start, bounds) };
}
