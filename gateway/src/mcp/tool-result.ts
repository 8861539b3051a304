import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Headers } from '../output/headers.ts';
import { type AnswerBody, describe } from './text/describe.ts';

/** Which revision's clients an answer is for: 2026-07-28 and later, or those before it. */
export type Era = 'modern' | 'legacy';

/**
 * A body as a tool's result: the structured content is the body of REST and `_meta` has what REST puts in headers, under
 * the same names. Revisions before 2026-07-28 have the JSON as text too, for clients that read nothing else.
 */
export function toolResult(era: Era, body: AnswerBody, meta: Headers): CallToolResult {
  return {
    content: [{ type: 'text', text: era === 'modern' ? describe(body) : JSON.stringify(body) }],
    structuredContent: { ...body },
    isError: 'error' in body,
    _meta: { ...meta },
  };
}
