import { create } from '@bufbuild/protobuf';
import { ObservationLookupInputSchema } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import {
  type SubmitObservationLookupRequest,
  type SubmitObservationLookupResponse,
  SubmitObservationLookupResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { lookUpObservations, openRecordedPage } from '../actions/observation-lookup.ts';
import type { Dependencies } from '../dependencies.ts';
import { fingerprint } from '../input/fingerprint.ts';
import { parseObservationLookup } from '../input/parse.ts';
import { parseRequestKey } from '../input/request-key.ts';
import type { Route } from '../submission/submission.ts';
import { submit } from '../submission/submit.ts';
import { principalOf } from './principal.ts';

/** GET /api/observations, POST /api/observations/lookup. */
export async function submitObservationLookup(
  deps: Dependencies,
  request: SubmitObservationLookupRequest,
  context: HandlerContext,
): Promise<SubmitObservationLookupResponse> {
  const principal = await principalOf(deps.ledger, request.caller, context);
  const requestKey = parseRequestKey(request.requestKey);
  const { domains, form } = parseObservationLookup(request.input ?? create(ObservationLookupInputSchema));
  const input = { action: 'observation_lookup', form } as const;
  const { accountId } = principal;
  const submission = {
    principal,
    requestKey,
    input,
    fingerprint: fingerprint(input),
    background: false,
    waitMs: deps.config.waitMs,
    admit: (now: Date): Route => {
      const start = openRecordedPage(deps.work.cursorKeys, accountId, form, now);
      return {
        kind: 'charge',
        work: (bounds) => lookUpObservations(deps.work, accountId, form, domains, start, bounds),
      };
    },
  };
  return create(SubmitObservationLookupResponseSchema, { answer: await submit(deps, submission, context) });
}
