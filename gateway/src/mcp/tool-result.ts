import type { CallToolResult } from '@modelcontextprotocol/server';
import type { OperationBody } from '../output/answer.ts';
import type { Headers } from '../output/headers.ts';
import { describe } from './text/describe.ts';

/**
 * `structuredContent` is REST's body, `_meta` its headers. The text is never the JSON again: a
 * model would pay the tokens twice.
 */
export function toolResult(body: OperationBody, meta: Headers): CallToolResult {
  return {
    content: [{ type: 'text', text: describe(body) }],
    structuredContent: { ...body },
    isError: 'error' in body,
    _meta: { ...meta },
  };
}
