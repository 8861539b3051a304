import type { DescService } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import {
  type Client,
  Code,
  ConnectError,
  createClient,
  type HandlerContext,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { retry } from '../service/retry.ts';
import { observeMadeCalls } from '../telemetry/rpc.ts';
import { CALLER_TOKEN_HEADER } from './caller.ts';
import { FailureCode, fail, failureOf } from './failure.ts';
import { MAX_MESSAGE_BYTES } from './message-size.ts';
import { RetryBudget } from './retry-budget.ts';
import { createUnaryTransport } from './unary/transport.ts';

export interface RpcClientOptions {
  /** Base address of the service. */
  readonly url: string;
  /** This process's own token (`CES_RPC_TOKEN`); absent for callers outside. */
  readonly callerToken?: string | undefined;
  /** Deadline of a call that names none, in milliseconds. */
  readonly timeoutMs: number;
}

/** Connections to a service at most; a call above waits for one. */
const MAX_CONNECTIONS = 256;
const ATTEMPTS = 3;
const RETRY_BASE_MS = 25;
/** What a hop keeps of its caller's deadline for itself, in milliseconds. */
const HOP_MARGIN_MS = 50;

/**
 * A client of one of our services: Connect over HTTP/1.1 with kept connections. Every call has a deadline; only what is
 * idempotent and did not arrive is sent again, at most twice, and within a budget of a tenth of all calls.
 */
export function createRpcClient<S extends DescService>(service: S, options: RpcClientOptions): Client<S> {
  const { url, timeoutMs } = options;
  const interceptors = [observeMadeCalls(), identify(options.callerToken), retryUnavailable(new RetryBudget())];
  const streaming = createConnectTransport({
    baseUrl: url,
    httpVersion: '1.1',
    useBinaryFormat: true,
    readMaxBytes: MAX_MESSAGE_BYTES,
    writeMaxBytes: MAX_MESSAGE_BYTES,
    defaultTimeoutMs: timeoutMs,
    interceptors,
  });
  const unary = { url, timeoutMs, maxBytes: MAX_MESSAGE_BYTES, connections: MAX_CONNECTIONS, interceptors };
  const transport = createUnaryTransport({ ...unary, streaming });
  return createClient(service, namingOutages(transport, service.typeName));
}

/** Call options with the deadline that is left of `context`, at most `maxMs` milliseconds. */
export function withinDeadline(context: HandlerContext, maxMs: number): { timeoutMs: number } {
  const left = context.timeoutMs();
  return { timeoutMs: Math.max(1, left === undefined ? maxMs : Math.min(maxMs, left - HOP_MARGIN_MS)) };
}

function identify(token: string | undefined): Interceptor {
  return (next) => (request) => {
    if (token) request.header.set(CALLER_TOKEN_HEADER, token);
    return next(request);
  };
}

/** A peer that cannot be reached or does not answer in time is an outage. An interceptor would not see the deadline pass. */
function namingOutages(transport: Transport, typeName: string): Transport {
  return {
    ...transport,
    unary: (...call) => transport.unary(...call).catch((error: unknown) => Promise.reject(named(error, typeName))),
  };
}

function named(error: unknown, typeName: string): unknown {
  if (failureOf(error) || !isOutage(error)) return error;
  return fail(
    FailureCode.SERVICE_UNAVAILABLE,
    'A part of the service does not answer now; try again with the same key.',
    { cause: new Error(`${typeName} is not reachable`, { cause: error }) },
  );
}

function retryUnavailable(budget: RetryBudget): Interceptor {
  return (next) => async (request) => {
    const level = request.method.idempotency;
    const retryable = level === Idempotency.NO_SIDE_EFFECTS || level === Idempotency.IDEMPOTENT;
    budget.earn();
    if (!retryable) return await next(request);
    return await retry(() => next(request), {
      attempts: ATTEMPTS,
      firstPauseMs: RETRY_BASE_MS,
      retryIf: (error) => isConnectionFault(error) && !request.signal.aborted && budget.spend(),
    });
  };
}

function isOutage(error: unknown): boolean {
  return isConnectionFault(error) || (error instanceof ConnectError && error.code === Code.DeadlineExceeded);
}

function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof ConnectError) || failureOf(error)) return false;
  const broken = error.code === Code.Unavailable || error.code === Code.Aborted || error.code === Code.Canceled;
  return broken || (error.cause instanceof Error && 'syscall' in error.cause);
}
