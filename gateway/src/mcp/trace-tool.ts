import { contextOf, inSpan, linksTo, SpanKind, traceparentOf } from '@ces/chassis/telemetry/span';
import { context } from '@opentelemetry/api';
import { continueTrace } from '../http/trace-context.ts';
import type { ToolCall } from './call-tool.ts';

/**
 * Runs a tool inside a span. If the message names a trace in `_meta`, the span belongs to it and
 * links to the HTTP request. Otherwise the span belongs to the trace of the request.
 */
export function traceTool<T>(
  tool: string,
  traceparent: unknown,
  call: ToolCall,
  run: (call: ToolCall) => Promise<T>,
): Promise<T> {
  const named = traceparent === undefined ? undefined : continueTrace(String(traceparent));
  const position =
    named === undefined ? {} : { parent: contextOf(String(traceparent)), links: linksTo(context.active()) };
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': tool,
    'ces.request_id': call.requestId,
  };
  return inSpan(`tools/call ${tool}`, { kind: SpanKind.SERVER, attributes, ...position }, (span) =>
    run({ ...call, traceparent: traceparentOf(span) ?? named ?? call.traceparent }),
  );
}
