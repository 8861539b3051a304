import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient, type HandlerContext, type Transport } from '@connectrpc/connect';
import { CallCredentials, Metadata } from '@grpc/grpc-js';
import { observeOutgoingCalls } from '../telemetry/rpc.ts';
import { CALLER_TOKEN_HEADER, SERVICE_ACCOUNT_TOKEN_HEADER } from './caller.ts';
import { openChannel } from './calling/channel.ts';
import { createTransport } from './calling/transport.ts';
import { REASON_HEADER } from './operator.ts';
import type { OutgoingTokens } from './outgoing-tokens.ts';
import { toOutage } from './refusal.ts';
import type { RpcTls } from './tls.ts';

export interface RpcClientOptions {
  readonly url: string;
  readonly callerToken?: string | (() => OutgoingTokens) | undefined;
  readonly reason?: string | undefined;
  readonly timeoutMs: number;
  /** For `https:`; absent: no client certificate, and the system's CAs. */
  readonly tls?: RpcTls;
}

/** Each hop keeps this part of the caller's deadline for itself. */
const HOP_MARGIN_MS = 50;

/**
 * Round-robin over all addresses. Every call has a deadline. Retries only idempotent calls that did
 * not reach the service: at most twice, and a tenth of all calls.
 */
export function createRpcClient<S extends DescService>(service: S, options: RpcClientOptions): Client<S> {
  const { url, timeoutMs, tls } = options;
  const transport = createTransport({
    to: openChannel(service, new URL(url), tls),
    url,
    credentials: credentialsOf(options),
    interceptors: [observeOutgoingCalls()],
    timeoutMs,
  });
  return createClient(service, namingOutages(transport, service.typeName));
}

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

function always(callerToken: string): () => OutgoingTokens {
  const tokens = { callerToken, serviceAccountToken: undefined };
  return () => tokens;
}

function namingOutages(transport: Transport, typeName: string): Transport {
  return {
    ...transport,
    unary: (...call) => transport.unary(...call).catch((error: unknown) => Promise.reject(toOutage(typeName, error))),
  };
}
