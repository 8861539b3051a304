import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { type RenderedAnswer, renderAnswer } from '../output/answer.ts';
import { LICENCE_LINK, operationHeaders } from '../output/headers.ts';
import { present } from '../output/values.ts';
import type { HttpAnswer } from './route.ts';

/** Finished 200, unfinished 202, failed 422 (interface, States; decisions.md, Order of checks, 2 to 4). */
export function operationAnswer(answer: OperationAnswer | undefined): HttpAnswer {
  const operation = present(answer, 'answer');
  const rendered = renderAnswer(operation);
  return {
    status: STATUSES[rendered.kind],
    body: rendered.body,
    headers: { ...operationHeaders(operation), ...headersOf(rendered) },
  };
}

const STATUSES = { finished: 200, pending: 202, failed: 422 } as const;

/** Seconds a client should wait between polls of a 202. */
const POLL_SECONDS = '2';

function headersOf(rendered: RenderedAnswer): Record<string, string> {
  switch (rendered.kind) {
    case 'finished':
      return { link: LICENCE_LINK };
    case 'pending':
      return { location: `/api/usages/${rendered.body.usage.id}`, 'retry-after': POLL_SECONDS };
    case 'failed':
      return {};
  }
}
