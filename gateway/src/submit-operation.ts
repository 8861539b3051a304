import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { renderAnswer } from './output/answer.ts';
import { answerHeaders } from './output/headers.ts';
import { requireValue } from './output/values.ts';
import type { HttpAnswer } from './rest/route.ts';

/** Finished 200, unfinished 202, failed 422 (interface, States; decisions.md, Order of checks, 2 to 4). */
export function operationAnswer(answer: OperationAnswer | undefined): HttpAnswer {
  const operation = requireValue(answer, 'answer');
  const rendered = renderAnswer(operation);
  return { status: STATUSES[rendered.kind], body: rendered.body, headers: answerHeaders(operation, rendered) };
}

const STATUSES = { finished: 200, pending: 202, failed: 422 } as const;
