import type { Interceptor } from '@connectrpc/connect';
import { type Attributes, type Context, context, metrics, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import { errorType, inSpan, SpanKind } from './span.ts';

/** Bounds of the duration histograms of requests, calls and statements, in seconds; those of the objectives among them. */
export const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 25];

const HEADERS = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};

/** A span and a duration for every call that is served; it continues the caller's trace. */
export function observeServedCalls(): Interceptor {
  const duration = metrics.getMeter('ces').createHistogram('rpc.server.call.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  return (next) => (request) => {
    const parent = propagation.extract(ROOT_CONTEXT, request.header, HEADERS);
    return observe(SpanKind.SERVER, request.method, duration, parent, () => next(request));
  };
}

/** A span and a duration for every call that is made, and its trace in the request's headers. */
export function observeMadeCalls(): Interceptor {
  const duration = metrics.getMeter('ces').createHistogram('rpc.client.call.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  return (next) => (request) =>
    observe(SpanKind.CLIENT, request.method, duration, context.active(), () => {
      propagation.inject(context.active(), request.header, { set: (headers, name, value) => headers.set(name, value) });
      return next(request);
    });
}

async function observe<T>(
  kind: SpanKind,
  method: { readonly name: string; readonly parent: { readonly typeName: string } },
  duration: { record(value: number, attributes: Attributes): void },
  parent: Context,
  call: () => Promise<T>,
): Promise<T> {
  const attributes: Attributes = {
    'rpc.system.name': 'connectrpc',
    'rpc.service': method.parent.typeName,
    'rpc.method': method.name,
  };
  const began = performance.now();
  const record = (outcome: string) =>
    duration.record((performance.now() - began) / 1_000, { ...attributes, 'rpc.response.status_code': outcome });
  try {
    const answer = await inSpan(`${method.parent.typeName}/${method.name}`, { kind, attributes, parent }, call);
    record('ok');
    return answer;
  } catch (error) {
    record(errorType(error));
    throw error;
  }
}
