import { create } from '@bufbuild/protobuf';
import { CompanyLookupInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import {
  type SubmitCompanyLookupRequest,
  type SubmitCompanyLookupResponse,
  SubmitCompanyLookupResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Route } from '../accept/submission.ts';
import { submit } from '../accept/submit.ts';
import type { Dependencies } from '../dependencies.ts';
import { fingerprint } from '../input/fingerprint.ts';
import { parseCompanyLookup } from '../input/parse.ts';
import { parseRequestKey } from '../input/request-key.ts';
import { lookUpCompanies } from '../work/company-lookup.ts';
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
