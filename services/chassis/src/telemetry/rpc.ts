import {
  Code,
  ConnectError,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type UnaryResponse,
} from '@connectrpc/connect';
import { type Attributes, type Context, context, metrics, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import { errorType, inSpan, SpanKind, type SpanStart } from './span.ts';

export const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 25];

const HEADERS = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  set: (headers: Headers, name: string, value: string) => headers.set(name, value),
  keys: (headers: Headers) => [...headers.keys()],
};

interface ServedCalls {
  readonly interceptor: Interceptor;
  /** Rejected on its headers, before the interceptors. */
  refused(call: Call, error: unknown): void;
}

export function observeIncomingCalls(): ServedCalls {
  const { observe, observeStream, fail } = observeCalls('rpc.server.call.duration', SpanKind.SERVER, () => ({}));
  const trackActive = countActive();
  return {
    interceptor: (next) => (request) => {
      const parent = propagation.extract(ROOT_CONTEXT, request.header, HEADERS);
      // A stream may stay open for long, so only its items count as active.
      if (request.stream) return observeStream(request, parent, () => next(request));
      return observe(request, parent, () => trackActive(() => next(request)));
    },
    refused: (call, error) => fail(call, 0, error),
  };
}

/** Including waiting calls: the signal for horizontal scaling. */
export function countActive(): <T>(work: () => Promise<T>) => Promise<T> {
  const active = metrics.getMeter('ces').createUpDownCounter('rpc.server.active_requests', {
    unit: '{request}',
    description: 'Calls that are being served, those that wait for a database or another service among them.',
  });
  active.add(0);
  return async (work) => {
    active.add(1);
    try {
      return await work();
    } finally {
      active.add(-1);
    }
  };
}

export function observeOutgoingCalls(): Interceptor {
  const { observe, observeStream } = observeCalls('rpc.client.call.duration', SpanKind.CLIENT, addressIn);
  return (next) => (request) =>
    (request.stream ? observeStream : observe)(request, context.active(), () => {
      propagation.inject(context.active(), request.header, HEADERS);
      return next(request);
    });
}

interface Call {
  readonly method: { readonly name: string; readonly parent: { readonly typeName: string } };
  readonly url: string;
}

interface MethodFacts {
  readonly name: string;
  readonly start: SpanStart & { readonly attributes: Attributes };
  readonly succeeded: Attributes;
}

function observeCalls(metric: string, kind: SpanKind, addressOf: (url: string) => Attributes) {
  const duration = metrics.getMeter('ces').createHistogram(metric, {
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });
  const known = new Map<Call['method'], MethodFacts>();
  const factsAbout = (call: Call) => {
    const facts = known.get(call.method) ?? factsOf(call, kind, addressOf(call.url));
    known.set(call.method, facts);
    return facts;
  };
  const fail = (call: Call, seconds: number, error: unknown) => {
    const outcome = { 'rpc.status_code': statusOf(error), 'error.type': errorType(error) };
    duration.record(seconds, { ...factsAbout(call).start.attributes, ...outcome });
  };
  const observe = async <T>(call: Call, parent: Context, proceed: () => Promise<T>): Promise<T> => {
    const { name, start, succeeded } = factsAbout(call);
    const began = performance.now();
    try {
      const answer = await inSpan(name, start, proceed, parent);
      duration.record((performance.now() - began) / 1_000, succeeded);
      return answer;
    } catch (error) {
      fail(call, (performance.now() - began) / 1_000, error);
      throw error;
    }
  };
  const observeStream = async (
    call: Call & Pick<StreamRequest, 'signal'>,
    parent: Context,
    proceed: Proceed,
  ): Promise<UnaryResponse | StreamResponse> => {
    const { name, start, succeeded } = factsAbout(call);
    const began = performance.now();
    const over = (error?: unknown) => {
      const seconds = (performance.now() - began) / 1_000;
      if (error === undefined) duration.record(seconds, succeeded);
      else fail(call, seconds, error);
    };
    return await followStream(call.signal, proceed, (life) => inSpan(name, start, life, parent), over);
  };
  return { observe, observeStream, fail };
}

type Proceed = () => Promise<UnaryResponse | StreamResponse>;

async function followStream(
  signal: AbortSignal,
  proceed: Proceed,
  inItsSpan: (life: () => Promise<void>) => Promise<void>,
  over: (error?: unknown) => void,
): Promise<UnaryResponse | StreamResponse> {
  const { promise: ended, resolve: end, reject: breakOff } = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<UnaryResponse | StreamResponse>();
  const life = async () => {
    answering.resolve(await proceed());
    await ended;
  };
  inItsSpan(life).then(
    () => over(),
    (error: unknown) => {
      over(error);
      answering.reject(error);
    },
  );
  const answer = await answering.promise;
  if (!answer.stream) {
    end();
    return answer;
  }
  const givenUp = () => breakOff(signal.reason);
  signal.addEventListener('abort', givenUp, { once: true });
  if (signal.aborted) givenUp();
  ended.finally(() => signal.removeEventListener('abort', givenUp)).catch(() => undefined);
  return { ...answer, message: untilOver(answer.message, end, breakOff) };
}

async function* untilOver<T>(answers: AsyncIterable<T>, end: () => void, breakOff: (error: unknown) => void) {
  try {
    yield* answers;
  } catch (error) {
    breakOff(error);
    throw error;
  } finally {
    end();
  }
}

/** OpenTelemetry's gRPC conventions, for every protocol. */
function factsOf({ method }: Call, kind: SpanKind, address: Attributes): MethodFacts {
  const name = `${method.parent.typeName}/${method.name}`;
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': name, ...address };
  return { name, start: { kind, attributes }, succeeded: { ...attributes, 'rpc.status_code': 'OK' } };
}

function addressIn(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) };
}

function statusOf(error: unknown): string {
  const code = error instanceof ConnectError ? error.code : Code.Unknown;
  return code === Code.Canceled ? 'CANCELLED' : Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}
