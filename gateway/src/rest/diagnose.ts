import { compileShapeCheck } from '../input/shape.ts';
import { renderAnswer } from '../output/answer.ts';
import type { Peers } from '../peers.ts';
import { DiagnosticBody, DiagnosticResult } from '../schema/diagnostic.ts';
import { submitOperation } from '../submit-operation.ts';
import type { Call, Route } from './route.ts';

const check = compileShapeCheck(DiagnosticBody);

export function diagnose({ operations }: Peers): Route {
  return {
    method: 'POST',
    url: '/api/diagnostics',
    endpoint: {
      operationId: 'diagnose',
      action: 'diagnostic',
      summary: 'Check the whole path',
      description:
        'An operation that costs nothing: proves that credential, subscription and idempotency work. `subscription` and `request_allowance` are the present ones, on replay too.',
      tag: 'Diagnostics',
      refusal: 'invalid_request',
      body: { schema: DiagnosticBody, required: false },
      result: { schema: DiagnosticResult, description: 'All is well.' },
    },
    async handle(call) {
      return renderAnswer(await submitOperation(call, () => readBody(call), operations.submitDiagnostic));
    },
  };
}

function readBody({ body }: Call): object {
  return body === undefined ? {} : check(body);
}
