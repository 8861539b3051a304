import { contextOf, inSpan, linksTo, SpanKind, traceparentOf } from '@ces/chassis/telemetry/span';
import type { ServerContext } from '@modelcontextprotocol/server';
import { context, SpanStatusCode } from '@opentelemetry/api';
import { continueTrace } from '../http/trace-context.ts';
import type { ToolCall } from './call-tool.ts';
import { EXECUTE_TOOL, TOOL_ERROR } from './mcp-meter.ts';

/**
 * A trace in `_meta` is the span's parent, with a link to the HTTP request. Attributes follow
 * OpenTelemetry for MCP; a refusal is a `tool_error`.
 */
export function traceTool<T extends object>(
  tool: string,
  { id, _meta }: Pick<ServerContext['mcpReq'], 'id' | '_meta'>,
  call: ToolCall,
  run: (call: ToolCall) => Promise<T>,
): Promise<T> {
  const traceparent = _meta?.traceparent;
  const named = traceparent === undefined ? undefined : continueTrace(String(traceparent));
  const position =
    named === undefined ? {} : { parent: contextOf(String(traceparent)), links: linksTo(context.active()) };
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': EXECUTE_TOOL,
    'gen_ai.tool.name': tool,
    'jsonrpc.request.id': String(id),
    ...call.transport,
    'ces.request_id': call.requestId,
  };
  return inSpan(`tools/call ${tool}`, { kind: SpanKind.SERVER, attributes, ...position }, async (span) => {
    const result = await run({ ...call, traceparent: traceparentOf(span) ?? named ?? call.traceparent });
    if ('isError' in result && result.isError === true) {
      span.setAttribute('error.type', TOOL_ERROR);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    return result;
  });
}
