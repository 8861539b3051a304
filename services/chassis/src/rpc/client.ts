import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient, type HandlerContext, type Transport } from '@connectrpc/connect';
import { CallCredentials, Metadata } from '@grpc/grpc-js';
import { observeMadeCalls } from '../telemetry/rpc.ts';
import { CALLER_TOKEN_HEADER, SERVICE_ACCOUNT_TOKEN_HEADER } from './caller.ts';
import { openChannel } from './calling/channel.ts';
import { createTransport } from './calling/transport.ts';
import { REASON_HEADER } from './operator.ts';
import type { ShownTokens } from './own-tokens.ts';
import { unanswered } from './refusal.ts';
import type { RpcTls } from './tls.ts';

export interface RpcClientOptions {
  /** Base address of the service: `http:` in plain text, `https:` with TLS. */
  readonly url: string;
  /** This process's token for that service, or what it shows at each call; absent for callers outside. */
  readonly callerToken?: string | (() => ShownTokens) | undefined;
  /** Why an operator calls, for audit rows. */
  readonly reason?: string | undefined;
  /** Deadline of a call that names none, in milliseconds. */
  readonly timeoutMs: number;
  /** What is shown and trusted at an `https:` address; absent: no certificate, and the authorities of the system. */
  readonly tls?: RpcTls;
}

/** What a hop keeps of its caller's deadline for itself, in milliseconds. */
const HOP_MARGIN_MS = 50;

/**
 * A client of one of our services: gRPC to every address of its name in turn. Every call has a deadline; only what may be
 * repeated and did not arrive is sent again, at most twice, and never more than a tenth of all calls.
 */
export function createRpcClient<S extends DescService>(service: S, options: RpcClientOptions): Client<S> {
  const { url, timeoutMs, tls } = options;
  const transport = createTransport({
    to: openChannel(service, new URL(url), tls),
    url,
    credentials: credentialsOf(options),
    interceptors: [observeMadeCalls()],
    timeoutMs,
  });
  return createClient(service, namingOutages(transport, service.typeName));
}

/** Call options with the deadline that is left of `context`, at most `maxMs` milliseconds. */
export function withinDeadline(context: HandlerContext, maxMs: number): { timeoutMs: number } {
  const left = context.timeoutMs();
  return { timeoutMs: Math.max(1, left === undefined ? maxMs : Math.min(maxMs, left - HOP_MARGIN_MS)) };
}

function credentialsOf({ callerToken, reason }: RpcClientOptions): CallCredentials {
  if (!callerToken) return CallCredentials.createEmpty();
  const tokensNow = typeof callerToken === 'string' ? always(callerToken) : callerToken;
  const show = () => {
    const shown = new Metadata();
    const tokens = tokensNow();
    if (tokens.callerToken !== undefined) shown.set(CALLER_TOKEN_HEADER, tokens.callerToken);
    if (tokens.serviceAccountToken !== undefined) shown.set(SERVICE_ACCOUNT_TOKEN_HEADER, tokens.serviceAccountToken);
    if (reason) shown.set(REASON_HEADER, encodeURIComponent(reason));
    return shown;
  };
  return CallCredentials.createFromMetadataGenerator((_call, done) => done(null, show()));
}

function always(callerToken: string): () => ShownTokens {
  const tokens = { callerToken, serviceAccountToken: undefined };
  return () => tokens;
}

/** A peer that cannot be reached or does not answer in time is an outage. */
function namingOutages(transport: Transport, typeName: string): Transport {
  return {
    ...transport,
    unary: (...call) => transport.unary(...call).catch((error: unknown) => Promise.reject(unanswered(typeName, error))),
  };
}
