import http2 from 'node:http2';
import { HEADERS_TIMEOUT_MS, HTTP_TIMEOUTS, TCP_KEEPALIVE } from '../../service/http-timeouts.ts';
import type { ServerCertificates } from '../tls.ts';
import { isAnswered, RpcResponse } from './response.ts';

const MAX_CONCURRENT_STREAMS = 1_000;
/** Flow control. */
const WINDOW = { stream: 1024 * 1024, connection: 4 * 1024 * 1024 };
/** Above it Node refuses streams; its default is below one message. */
const MAX_SESSION_MEGABYTES = 1_024;

export type Http2Server = http2.Http2Server | http2.Http2SecureServer;

/** Plain text with prior knowledge, or TLS, where ALPN may select HTTP/1.1. */
export function createHttp2Server(handle: unknown, certificates: ServerCertificates | undefined): Http2Server {
  const options = {
    ...TCP_KEEPALIVE,
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
  const bounds = { ...HTTP_TIMEOUTS, handshakeTimeout: HEADERS_TIMEOUT_MS };
  const server = http2.createSecureServer(
    { ...options, ...certificates.initial, ...bounds, allowHTTP1: true },
    listener,
  );
  // A server with `allowHTTP1` ignores these options in its constructor.
  Object.assign(server, HTTP_TIMEOUTS);
  certificates.onRenewal((renewed) => server.setSecureContext(renewed));
  return server;
}

/** Connect would abort the signal with a new exception, a twelfth of the cost per call. */
class RpcRequest extends http2.Http2ServerRequest {
  override emit(...event: readonly unknown[]): boolean {
    if (event[0] === 'close' && isAnswered(this.stream)) return false;
    return super.emit(...(event as Parameters<http2.Http2ServerRequest['emit']>));
  }
}
