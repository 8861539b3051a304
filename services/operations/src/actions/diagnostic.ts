import { create } from '@bufbuild/protobuf';
import {
  type SubmitDiagnosticRequest,
  type SubmitDiagnosticResponse,
  SubmitDiagnosticResponseSchema,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { fingerprint } from '../input/fingerprint.ts';
import { parseRequestKey } from '../input/request-key.ts';
import type { StoredResult } from '../operation/result.ts';
import { principalOf } from '../rpc/principal.ts';
import type { Route } from '../submission/submission.ts';
import { submit } from '../submission/submit.ts';

/** POST /api/diagnostics: an operation that the ledger never hears of. */
export async function submitDiagnostic(
  deps: Dependencies,
  request: SubmitDiagnosticRequest,
  context: HandlerContext,
): Promise<SubmitDiagnosticResponse> {
  const principal = await principalOf(deps.ledger, request.caller, context);
  const input = { action: 'diagnostic', form: {} } as const;
  const submission = {
    principal,
    requestKey: parseRequestKey(request.requestKey),
    input,
    fingerprint: fingerprint(input),
    background: false,
    waitMs: 0,
    admit: (now: Date): Route => ({ kind: 'free', work: { result: nothing(now), hydrated: [] } }),
  };
  return create(SubmitDiagnosticResponseSchema, { answer: await submit(deps, submission, context) });
}

function nothing(now: Date): StoredResult {
  return {
    items: [],
    details: { action: 'diagnostic' },
    settledCompanyIds: [],
    requestUnits: 0,
    freshEvidenceUnits: 0,
    asOf: now,
    judgedAt: now,
    nextCursor: undefined,
  };
}
