import { Code, ConnectError, type ConnectRouter, type HandlerContext, type Interceptor } from '@connectrpc/connect';
import { fastifyConnectPlugin } from '@connectrpc/connect-fastify';
import { metrics } from '@opentelemetry/api';
import Fastify, { type FastifyReply, type FastifyRequest, type FastifyServerFactory } from 'fastify';
import { FailureCode, failureOf } from '../../failure.ts';
import { MAX_TIMEOUT_MS } from '../../service/http-timeouts.ts';
import type { Logger } from '../../telemetry/log.ts';
import { observeIncomingCalls } from '../../telemetry/rpc.ts';
import { type Actor, ANYONE, admitCaller, type CallerPolicy, isOpen, type KnownCallers } from '../caller.ts';
import { toConnectError } from '../error.ts';
import { MAX_MESSAGE_BYTES, type RequestSizes } from '../message-size.ts';
import { mayChange } from '../operator.ts';
import { peerContext } from '../peer.ts';
import { registerHealth } from './health.ts';
import { limitRequestSizes } from './limit-request-sizes.ts';
import { toLoggedRefusal } from './logged-refusal.ts';
import { limitReceiveTime, type RawRequest } from './receive-timeout.ts';
import { registerReflection } from './reflection.ts';
import { UnauthenticatedCallLimiter } from './unauthenticated-call-limiter.ts';

/** A negative value forbids a retry, whatever the caller's policy says (gRFC A6). */
const RETRY_PUSHBACK_HEADER = 'grpc-retry-pushback-ms';

export interface AppOptions extends KnownCallers {
  readonly routes: (router: ConnectRouter) => void;
  /** Methods that the policy does not list are refused. */
  readonly callers: CallerPolicy;
  readonly requestSizes?: RequestSizes;
  readonly identify?: (bearer: string, context: HandlerContext) => Promise<void>;
  readonly logger: Logger;
}

/** gRPC, gRPC-Web and Connect, with health and reflection. */
export async function createApp<S>(
  options: AppOptions,
  shutdownSignal: AbortSignal,
  serverFactory: (handle: Parameters<FastifyServerFactory>[0]) => S,
): Promise<S> {
  const streaming = new Set<string>();
  const calls = observeIncomingCalls();
  const proofs = metrics.getMeter('ces').createCounter('ces.rpc.caller.proofs', {
    description: 'Calls of programs, by what the program has proven itself with.',
  });
  const unauthenticated = new UnauthenticatedCallLimiter();
  let server: S | undefined;
  const app = Fastify({
    serverFactory: (handle) => {
      server = serverFactory(handle);
      return server as ReturnType<FastifyServerFactory>;
    },
  });
  app.addHook('onRequest', replaceInvalidAuthority);
  app.addHook('onRequest', limitReceiveTime(streaming, MAX_TIMEOUT_MS));
  await app.register(fastifyConnectPlugin, {
    routes: (router) => {
      registerHealth(router);
      options.routes(limitRequestSizes(router, options.requestSizes ?? {}));
      registerReflection(router);
      for (const { method, requestPath } of router.handlers)
        if (method.methodKind !== 'unary') streaming.add(requestPath);
    },
    contextValues: ({ raw }) => peerContext(raw),
    interceptors: [unauthenticated.interceptor, calls.interceptor, logUnexpected(options.logger)],
    requestGate: async (context) => {
      endWithoutStack(context);
      try {
        const actor = await admitCaller(context, options.callers, options);
        if (actor.by) proofs.add(1, { caller: actor.name, by: actor.by });
        logOperator(options.logger, context, actor);
        if (actor.name === ANYONE && !isOpen(context.method))
          await admitUnauthenticated(context, options, unauthenticated);
      } catch (error) {
        calls.refused(context, error);
        throw failureOf(error) ? error : toConnectError(error);
      }
    },
    // Inside a cluster, compression costs more than the saved bytes.
    acceptCompression: [],
    readMaxBytes: MAX_MESSAGE_BYTES,
    writeMaxBytes: MAX_MESSAGE_BYTES,
    maxTimeoutMs: MAX_TIMEOUT_MS,
    shutdownSignal,
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setNotFoundHandler(refuseUnknownMethod);
  await app.ready();
  if (!server) throw new Error('Fastify asked for no server');
  return server;
}

/** Authenticates by a bearer in the headers, or in the message, whose arrival is then limited. */
async function admitUnauthenticated(
  context: HandlerContext,
  { identify }: AppOptions,
  unauthenticated: UnauthenticatedCallLimiter,
): Promise<void> {
  const [, bearer] = /^bearer +(\S+)$/i.exec(context.requestHeader.get('authorization') ?? '') ?? [];
  if (identify && bearer !== undefined) await identify(bearer, context);
  else unauthenticated.admit(context);
}

/** Connect aborts the signal of every finished call; a shared reason saves an exception each. */
const OVER = new ConnectError('the call is over', Code.Canceled);

function endWithoutStack(context: HandlerContext & { abort?: (reason?: unknown) => void }): void {
  const { abort } = context;
  if (abort) context.abort = (reason = OVER) => abort(reason);
}

function refuseUnknownMethod({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  const type = headers['content-type'];
  const { stream }: RawRequest = raw;
  if (!type?.startsWith('application/grpc')) return void reply.code(404).send();
  const status = { 'content-type': type, 'grpc-status': String(Code.Unimplemented), 'grpc-message': 'unknown method' };
  if (!stream) return void reply.headers(status).send();
  reply.hijack();
  stream.respond({ ':status': 200, ...status }, { endStream: true });
}

/** Even if the service has no audit. */
function logOperator(logger: Logger, { method }: HandlerContext, { name, role, reason }: Actor): void {
  if (role && mayChange(method)) logger.info({ operator: name, role, reason, rpc: method.name }, 'call of an operator');
}

function logUnexpected(logger: Logger): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      const refusal = toLoggedRefusal(logger, request.method, error);
      // This service already retried, so an earlier hop must not repeat the call.
      if (failureOf(refusal)?.code === FailureCode.SERVICE_UNAVAILABLE)
        refusal.metadata.set(RETRY_PUSHBACK_HEADER, '-1');
      throw refusal;
    }
  };
}

/** Connect parses it. A channel over several addresses sends all of them there. */
function replaceInvalidAuthority({ raw }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const name = raw.httpVersionMajor === 2 ? ':authority' : 'host';
  if (!URL.canParse(`http://${raw.headers[name] ?? raw.headers.host ?? ''}`)) raw.headers[name] = 'localhost';
  done();
}
