import { DURATION_BOUNDS } from '@ces/chassis/telemetry/rpc';
import { contextOf, SpanKind, startSpan, traceparentOf } from '@ces/chassis/telemetry/span';
import { type Context, context, metrics, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { continueTrace } from './trace-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The call as a span and the context that carries it; undefined until the first hook has run. */
    tracing: { readonly span: Span; readonly context: Context } | undefined;
  }
}

/** A span and a duration for every request, in the caller's trace if it names one; what a handler does belongs to it. */
export function traceRequests(app: FastifyInstance): void {
  const meter = metrics.getMeter('ces');
  const duration = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  const active = meter.createUpDownCounter('http.server.active_requests', { unit: '{request}' });
  app.decorateRequest('tracing', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    active.add(1, { 'http.request.method': request.method });
    context.with(begin(request), done);
  });
  // A body arrives in the context of its connection.
  app.addHook('preValidation', (request, _reply, done) =>
    context.with(request.tracing?.context ?? context.active(), done),
  );
  app.addHook('onResponse', async (request, reply) => {
    active.add(-1, { 'http.request.method': request.method });
    duration.record(reply.elapsedTime / 1_000, endpointOf(request, reply));
    end(request, reply);
  });
}

/** The W3C trace context of a call: that of its span, or one of the caller's trace where no spans are made. */
export function traceparentOfRequest({ tracing, headers }: FastifyRequest): string {
  return (tracing && traceparentOf(tracing.span)) ?? continueTrace(headers.traceparent);
}

function begin(request: FastifyRequest): Context {
  const { traceparent } = request.headers;
  const parent = contextOf(typeof traceparent === 'string' ? traceparent : undefined);
  const span = startSpan(`${request.method} ${request.routeOptions.url ?? ''}`.trimEnd(), {
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': request.method, 'ces.request_id': request.id },
    parent,
  });
  request.tracing = { span, context: trace.setSpan(parent, span) };
  return request.tracing.context;
}

function end(request: FastifyRequest, reply: FastifyReply): void {
  const { tracing } = request;
  if (!tracing) return;
  const usageId = reply.getHeader('usage-id');
  tracing.span.setAttributes({
    ...endpointOf(request, reply),
    ...(usageId !== undefined && { 'ces.operation_id': String(usageId) }),
  });
  if (reply.statusCode >= 500) tracing.span.setStatus({ code: SpanStatusCode.ERROR });
  tracing.span.end();
}

function endpointOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    'http.request.method': request.method,
    'http.route': request.routeOptions.url ?? 'none',
    'http.response.status_code': reply.statusCode,
  };
}
