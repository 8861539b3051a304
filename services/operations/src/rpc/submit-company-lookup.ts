import { create } from '@bufbuild/protobuf';
import { CompanyLookupInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import {
  type SubmitCompanyLookupRequest,
  type SubmitCompanyLookupResponse,
  SubmitCompanyLookupResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { lookUpCompanies } from '../actions/company-lookup.ts';
import type { Dependencies } from '../dependencies.ts';
import { fingerprint } from '../input/fingerprint.ts';
import { parseCompanyLookup } from '../input/parse.ts';
import { parseRequestKey } from '../input/request-key.ts';
import type { Route } from '../submission/submission.ts';
import { submit } from '../submission/submit.ts';
import { principalOf } from './principal.ts';

/** GET /api/companies, GET /api/companies/{id}, get_companies. */
export async function submitCompanyLookup(
  deps: Dependencies,
  request: SubmitCompanyLookupRequest,
  context: HandlerContext,
): Promise<SubmitCompanyLookupResponse> {
  const principal = await principalOf(deps.ledger, request.caller, context);
  const requestKey = parseRequestKey(request.requestKey);
  const { accepted, form } = parseCompanyLookup(request.input ?? create(CompanyLookupInputSchema));
  const input = { action: 'company_lookup', form } as const;
  const submission = {
    principal,
    requestKey,
    input,
    fingerprint: fingerprint(input),
    background: false,
    waitMs: deps.config.waitMs,
    admit: (): Route => ({ kind: 'charge', work: (bounds) => lookUpCompanies(deps.work, accepted, bounds) }),
  };
  return create(SubmitCompanyLookupResponseSchema, { answer: await submit(deps, submission, context) });
}
