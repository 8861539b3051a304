import { DURATION_BOUNDS } from '@ces/chassis/telemetry/rpc';
import { contextOf, SpanKind, startSpan, traceparentOf } from '@ces/chassis/telemetry/span';
import { type Context, context, metrics, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasLeft, untilClosed } from './closing.ts';
import { continueTrace } from './trace-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined;
  }
}

/** Handlers run inside the span. */
export function traceRequests(app: FastifyInstance): void {
  const meter = metrics.getMeter('ces');
  const duration = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  const active = meter.createUpDownCounter('http.server.active_requests', { unit: '{request}' });
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    void observe(request, reply, done);
  });

  async function observe(request: FastifyRequest, reply: FastifyReply, proceed: () => void): Promise<void> {
    const method = { 'http.request.method': request.method };
    const parent = parentOf(request);
    const span = begin(request, parent);
    request.span = span;
    active.add(1, method);
    try {
      context.with(trace.setSpan(parent, span), proceed);
      await untilClosed(reply);
    } finally {
      active.add(-1, method);
      duration.record(reply.elapsedTime / 1_000, endpointOf(request, reply));
      end(span, request, reply);
    }
  }
}

/** Without tracing it is a continued trace. */
export function traceparentOfRequest({ span, headers }: FastifyRequest): string {
  return (span && traceparentOf(span)) ?? continueTrace(headers.traceparent);
}

function parentOf({ headers: { traceparent } }: FastifyRequest): Context {
  return contextOf(typeof traceparent === 'string' ? traceparent : undefined);
}

function begin(request: FastifyRequest, parent: Context): Span {
  return startSpan(`${request.method} ${request.routeOptions.url ?? ''}`.trimEnd(), {
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': request.method, 'ces.request_id': request.id },
    parent,
  });
}

function end(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const usageId = reply.getHeader('usage-id');
  span.setAttributes({
    ...endpointOf(request, reply),
    ...(usageId !== undefined && { 'ces.operation_id': String(usageId) }),
  });
  if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function endpointOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    'http.request.method': request.method,
    'http.route': request.routeOptions.url ?? 'none',
    ...(hasLeft(reply) ? { 'error.type': 'client_left' } : { 'http.response.status_code': reply.statusCode }),
  };
}
