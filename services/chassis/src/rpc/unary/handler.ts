import { create, isMessage, type Message } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter, createContextValues, type Interceptor } from '@connectrpc/connect';
import { codeToHttpStatus, errorToJsonBytes, parseTimeout } from '@connectrpc/connect/protocol-connect';
import { servedKey, UnaryContext } from './context.ts';
import { headersOf, type NodeHandler, type NodeRequest, type NodeResponse, readBody } from './incoming.ts';
import { CallLifetime } from './lifetime.ts';
import { type UnaryMethod, unaryMethodsOf } from './methods.ts';

export interface UnaryHandlerOptions {
  readonly routes: (router: ConnectRouter) => void;
  /** The first is the outermost. */
  readonly interceptors: readonly Interceptor[];
  /** Bytes of a message at most, there and back. */
  readonly maxBytes: number;
  /** Longest deadline a caller may set, in milliseconds. */
  readonly maxTimeoutMs: number;
  /** Gives up every call in hand. */
  readonly shutdownSignal: AbortSignal;
  /** Serves everything else. */
  readonly rest: NodeHandler;
}

const BINARY = 'application/proto';

/** Nothing is sent beside the message; interceptors may not write here. */
const NONE = new Headers();

type Invoke = ReturnType<Interceptor>;

/**
 * Serves unary calls of the Connect protocol in binary form, which is how our services call each other: a message is read
 * and written whole, without streams between, in half to two thirds of the processor time of the general adapter
 * (`npm run lab -- rpc`). Every other form, protocol or encoding is left to `rest`.
 */
export function unaryHandler(options: UnaryHandlerOptions): NodeHandler {
  const methods = unaryMethodsOf(options.routes, options.maxBytes);
  const invoke = options.interceptors.reduceRight<Invoke>((next, intercept) => intercept(next), callImplementation);
  return (request, response) => {
    const called = isBinaryUnary(request) ? methods.get(request.url ?? '') : undefined;
    if (called) void answer(request, response, called, invoke, options);
    else options.rest(request, response);
  };
}

function isBinaryUnary({ method, headers }: NodeRequest): boolean {
  return method === 'POST' && headers['content-type'] === BINARY && headers['content-encoding'] === undefined;
}

async function answer(
  request: NodeRequest,
  response: NodeResponse,
  called: UnaryMethod,
  invoke: Invoke,
  options: UnaryHandlerOptions,
): Promise<void> {
  const header = headersOf(request);
  const timeout = parseTimeout(header.get('connect-timeout-ms'), options.maxTimeoutMs);
  const lifetime = new CallLifetime(timeout.timeoutMs, options.shutdownSignal);
  response.once('close', () => lifetime.end());
  try {
    if (timeout.error) throw timeout.error;
    const { message } = await invoke({
      stream: false,
      service: called.method.parent,
      method: called.method,
      requestMethod: 'POST',
      url: `http://${request.headers.host}${request.url}`,
      signal: lifetime.signal,
      header,
      contextValues: createContextValues().set(servedKey, { called, lifetime }),
      message: called.codec.input.parse(await readBody(request, options.maxBytes)),
    });
    send(response, 200, BINARY, called.codec.output.serialize(message as Message));
  } catch (error) {
    const refusal = error instanceof ConnectError ? error : new ConnectError('internal error', Code.Internal);
    send(response, codeToHttpStatus(refusal.code), 'application/json', errorToJsonBytes(refusal, undefined));
  }
}

/** Innermost of all: the method itself, with what it answers made whole. */
const callImplementation: Invoke = async (request) => {
  const served = request.contextValues.get(servedKey);
  if (request.stream || !served) throw new ConnectError('an interceptor lost the call', Code.Internal);
  const { method, implementation } = served.called;
  const answered = await implementation(request.message, new UnaryContext(request, served.lifetime));
  const message = isMessage(answered, method.output) ? answered : create(method.output, answered);
  return { stream: false, service: method.parent, method, header: NONE, trailer: NONE, message };
};

function send(response: NodeResponse, status: number, type: string, bytes: Uint8Array): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.byteLength });
  response.end(bytes);
}
