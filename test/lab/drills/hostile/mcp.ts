import { randomUUID } from 'node:crypto';
import { modernMessage } from '@ces/gateway/test-support/mcp-client';
import type { Endpoint, Target } from './endpoint.ts';
import { answerOf, JSON_TYPE } from './http.ts';
import { bodyShapes } from './shapes.ts';

/** Leaves room for the envelope below the body limit (gateway/docs/contract.md, Input). */
const ARGUMENTS_BYTES = 128 * 1024 - 512;

/** Errors that MCP reports with HTTP 200 and REST with 5xx. */
const FAULT = /"code":\s*(?:"(?:internal_error|service_unavailable)"|-32603)/;

export function tools(target: Target): Endpoint[] {
  const accept = { accept: 'application/json, text/event-stream' };
  return ['search_companies', 'get_companies'].flatMap((tool) =>
    ['2026-07-28', '2025-11-25'].map((revision): Endpoint => {
      const params = { name: tool, arguments: 'ARGUMENTS' };
      const message =
        revision === '2025-11-25'
          ? {
              json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
              headers: { 'mcp-protocol-version': revision } as Record<string, string>,
            }
          : modernMessage('tools/call', params);
      // Builds the body as text, because some shapes are no valid JSON.
      const template = JSON.stringify(message.json);
      const withKey = (text: string) =>
        text.startsWith('{') ? text.replace('{', () => `{"request_key":"${randomUUID()}",`) : text;
      return {
        name: `MCP ${tool}, ${revision}`,
        harmless: '{"query":"a"}',
        shapes: () => bodyShapes(ARGUMENTS_BYTES),
        async send(text) {
          const body = template.replace('"ARGUMENTS"', () => withKey(text));
          const answer = await answerOf(target, 'POST', '/mcp', { ...JSON_TYPE, ...accept, ...message.headers }, body);
          return FAULT.test(answer.text) ? 500 : answer.status;
        },
      };
    }),
  );
}
