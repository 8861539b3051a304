import http from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import { type ConnectRouter, createContextKey, type HandlerContext, type Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { listen } from '../service/admin-server.ts';
import type { Logger } from '../telemetry/log.ts';
import { observeServedCalls } from '../telemetry/rpc.ts';
import { ANYONE, authorizeCaller, CALLER_TOKEN_HEADER, type CallerPolicy } from './caller.ts';
import { toConnectError } from './error.ts';
import { failureOf } from './failure.ts';
import { registerHealth } from './health.ts';
import { MAX_MESSAGE_BYTES } from './message-size.ts';
import { registerReflection } from './reflection.ts';
import { unaryHandler } from './unary/handler.ts';

/** Longest deadline a caller may set, in milliseconds. */
const MAX_TIMEOUT_MS = 120_000;
/** How long calls in hand may take to end at shutdown, in milliseconds. */
const DRAIN_LIMIT_MS = 10_000;

export interface RpcServerOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  readonly routes: (router: ConnectRouter) => void;
  /** Which callers may call which method; what is not listed is refused. */
  readonly callers: CallerPolicy;
  /** Accepted callers by name, each with its token (`CES_RPC_CALLER_TOKENS`). */
  readonly callerTokens: ReadonlyMap<string, string>;
  readonly logger: Logger;
}

export interface RpcServer extends AsyncDisposable {
  readonly url: string;
  /** Goes on serving, but every connection ends with its next answer, so that callers turn to another process. */
  drain(): void;
}

const callerKey = createContextKey<string>(ANYONE, { description: 'name of the calling service' });

/** The name of the service that calls, proven by its token; `anyone` without one. */
export function callerOf(context: HandlerContext): string {
  return context.values.get(callerKey);
}

/** Serves Connect, gRPC and gRPC-Web on one port: HTTP/1.1 and h2c, told apart by the first bytes of a connection. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const closing = new AbortController();
  const interceptors = [observeServedCalls(), logUnexpected(options.logger), checkCaller(options)];
  const rest = connectNodeAdapter({
    routes: (router) => {
      registerHealth(router);
      options.routes(router);
      registerReflection(router);
    },
    interceptors,
    readMaxBytes: MAX_MESSAGE_BYTES,
    writeMaxBytes: MAX_MESSAGE_BYTES,
    maxTimeoutMs: MAX_TIMEOUT_MS,
    shutdownSignal: closing.signal,
  });
  const handler = unaryHandler({
    routes: options.routes,
    interceptors,
    maxBytes: MAX_MESSAGE_BYTES,
    maxTimeoutMs: MAX_TIMEOUT_MS,
    shutdownSignal: closing.signal,
    rest,
  });
  const http1 = http.createServer({ keepAliveTimeout: 75_000 }, handler);
  const h2 = http2.createServer(handler);
  const connections = new Connections(http1, h2);
  const server = net.createServer((socket) => {
    connections.add(socket);
    socket.on('error', () => socket.destroy());
    routeByFirstBytes(socket, http1, h2);
  });
  await listen(server, options.host, options.port);
  return {
    url: `http://${options.host}:${(server.address() as AddressInfo).port}`,
    drain: () => connections.drain(),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      connections.closeWhenIdle();
      const timer = setTimeout(() => {
        closing.abort();
        connections.destroyAll();
      }, DRAIN_LIMIT_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Open connections and which of them carry a call: Node tracks neither for a server that does not listen itself. */
class Connections {
  readonly #sockets = new Set<net.Socket>();
  readonly #sessions = new Set<http2.ServerHttp2Session>();
  readonly #busy = new Map<net.Socket, number>();
  #draining = false;
  #closing = false;

  constructor(http1: http.Server, h2: http2.Http2Server) {
    http1.on('request', (request, response) => {
      if (this.#draining && !response.headersSent) response.setHeader('connection', 'close');
      this.#begin(request.socket);
      response.once('close', () => this.#end(request.socket));
    });
    h2.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy());
    });
  }

  add(socket: net.Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  drain(): void {
    this.#draining = true;
    for (const session of this.#sessions) session.close();
  }

  closeWhenIdle(): void {
    this.drain();
    this.#closing = true;
    for (const socket of this.#sockets) if (!this.#busy.has(socket) && !this.#isHttp2(socket)) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #isHttp2(socket: net.Socket): boolean {
    for (const session of this.#sessions)
      if (!session.destroyed && session.socket.remotePort === socket.remotePort) return true;
    return false;
  }

  #begin(socket: net.Socket): void {
    this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
  }

  #end(socket: net.Socket): void {
    const left = (this.#busy.get(socket) ?? 1) - 1;
    if (left > 0) this.#busy.set(socket, left);
    else this.#busy.delete(socket);
    if (this.#closing && left <= 0) socket.destroySoon();
  }
}

function routeByFirstBytes(socket: net.Socket, http1: http.Server, h2: http2.Http2Server): void {
  socket.once('readable', () => {
    const first: Buffer | null = socket.read();
    if (first === null) return;
    socket.unshift(first);
    const target = first.subarray(0, 3).toString('latin1') === 'PRI' ? h2 : http1;
    target.emit('connection', socket);
  });
}

function checkCaller(options: RpcServerOptions): Interceptor {
  return (next) => (request) => {
    const token = request.header.get(CALLER_TOKEN_HEADER);
    const caller = authorizeCaller(options.callers, options.callerTokens, token, request.method);
    request.contextValues.set(callerKey, caller);
    return next(request);
  };
}

function logUnexpected(logger: Logger): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      const refusal = toConnectError(error);
      if (failureOf(refusal) === undefined || refusal.cause !== undefined)
        logger.error({ err: refusal.cause ?? error, rpc: request.method.name }, 'call failed');
      throw refusal;
    }
  };
}
