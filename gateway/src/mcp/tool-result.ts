import type { CallToolResult } from '@modelcontextprotocol/server';
import type { OperationBody } from '../output/answer.ts';
import type { Headers } from '../output/headers.ts';
import { describe } from './text/describe.ts';

/**
 * Renders a body as a tool result. `structuredContent` is the body of REST; `_meta` has the headers
 * of REST under the same names. The text says the same to a reader, and is never the JSON again:
 * it would cost a model the tokens twice.
 */
export function toolResult(body: OperationBody, meta: Headers): CallToolResult {
  return {
    content: [{ type: 'text', text: describe(body) }],
    structuredContent: { ...body },
    isError: 'error' in body,
    _meta: { ...meta },
  };
}
