import http2 from 'node:http2';
import { ARRIVAL_OPTIONS, HEAD_LIMIT_MS, KERNEL_KEEPALIVE } from '../../service/arrival.ts';
import type { ServerCertificates } from '../tls.ts';
import { RpcRequest } from './request.ts';
import { RpcResponse } from './response.ts';

/** Calls under way on one connection at most; what comes above waits at the caller. */
const MAX_CONCURRENT_STREAMS = 1_000;
/** What a stream, and a connection, may carry before it is acknowledged, in bytes. */
const WINDOW = { stream: 1024 * 1024, connection: 4 * 1024 * 1024 };
/** What one connection may hold in memory, in megabytes: above it Node refuses streams, and its own default is below one message. */
const MAX_SESSION_MEGABYTES = 1_024;

export type Http2Server = http2.Http2Server | http2.Http2SecureServer;

/** A server of HTTP/2: in plain text by prior knowledge, or with TLS, where HTTP/1.1 may be chosen too. */
export function createHttp2Server(handle: unknown, certificates: ServerCertificates | undefined): Http2Server {
  const options = {
    ...KERNEL_KEEPALIVE,
    settings: { maxConcurrentStreams: MAX_CONCURRENT_STREAMS, initialWindowSize: WINDOW.stream },
    maxSessionMemory: MAX_SESSION_MEGABYTES,
    Http2ServerRequest: RpcRequest as typeof http2.Http2ServerRequest,
    Http2ServerResponse: RpcResponse as typeof http2.Http2ServerResponse,
  };
  const listener = handle as Parameters<typeof http2.createServer>[1];
  const server = certificates ? secure(options, certificates, listener) : http2.createServer(options, listener);
  server.on('session', (session) => session.setLocalWindowSize(WINDOW.connection));
  return server;
}

function secure(
  options: http2.SecureServerOptions,
  certificates: ServerCertificates,
  listener: Parameters<typeof http2.createSecureServer>[1],
): http2.Http2SecureServer {
  const bounds = { ...ARRIVAL_OPTIONS, handshakeTimeout: HEAD_LIMIT_MS };
  const server = http2.createSecureServer(
    { ...options, ...certificates.initial, ...bounds, allowHTTP1: true },
    listener,
  );
  // A server that speaks both does not take them from its options.
  Object.assign(server, ARRIVAL_OPTIONS);
  certificates.onRenewal((renewed) => server.setSecureContext(renewed));
  return server;
}
