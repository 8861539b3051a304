import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import type { Authority } from './certificates.ts';
import { MountedSecret } from './mounted-secret.ts';

const SIGNALS = { trace: 'traces', metrics: 'metrics', logs: 'logs' } as const;
type CollectedSignal = (typeof SIGNALS)[keyof typeof SIGNALS];

/**
 * An OTLP collector for gRPC and HTTP that requires client certificates and keeps what it receives.
 */
export interface TlsCollector extends AsyncDisposable {
  readonly url: string;
  /** Serial number of the client certificate of the last request, by signal. */
  readonly shown: ReadonlyMap<CollectedSignal, string>;
  received(signal: CollectedSignal): readonly Buffer[];
  /** Uses a new certificate by `by` and trusts `trusted` (PEM) for new connections. */
  replace(by: Authority, trusted: string): Promise<void>;
  /** Sends GOAWAY (RFC 9113 §6.8) to all sessions. Returns how many of them had brought traces. */
  endSessions(): number;
}

interface Session {
  broughtTraces: boolean;
  isEnding: boolean;
}

export async function startTlsCollector(by: Authority): Promise<TlsCollector> {
  const secret = await MountedSecret.create(by, ['localhost', '127.0.0.1']);
  const shown = new Map<CollectedSignal, string>();
  const received: { signal: CollectedSignal; body: Buffer }[] = [];
  const sessions = new Map<http2.Http2Session, Session>();
  const mutual = { allowHTTP1: true, requestCert: true, rejectUnauthorized: true };
  const server = http2.createSecureServer({ ...mutual, ...(await read(secret)) }, async (request, response) => {
    const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
    const { serialNumber } = socket.getPeerCertificate();
    const body = await buffer(request);
    const [, name = ''] = /(trace|metrics|logs)/.exec(request.url) ?? [];
    const signal = SIGNALS[name as keyof typeof SIGNALS];
    shown.set(signal, serialNumber);
    const session = request.stream?.session && sessions.get(request.stream.session);
    if (signal === 'traces' && session) session.broughtTraces = true;
    received.push({ signal, body });
    if (request.headers['content-type'] !== 'application/grpc') response.end();
    else {
      response.setHeader('content-type', 'application/grpc');
      response.addTrailers({ 'grpc-status': '0' });
      response.end(EMPTY_MESSAGE);
    }
  });
  server.on('session', (session) => {
    sessions.set(session, { broughtTraces: false, isEnding: false });
    session.once('close', () => sessions.delete(session));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    shown,
    received: (signal) => received.filter((one) => one.signal === signal).map(({ body }) => body),
    async replace(next, trusted) {
      await secret.replace(next, trusted);
      server.setSecureContext(await read(secret));
    },
    endSessions: () => {
      const ending = [...sessions].filter(([, { isEnding }]) => !isEnding);
      for (const [session, state] of ending) {
        state.isEnding = true;
        session.goaway(http2.constants.NGHTTP2_NO_ERROR, LAST_STREAM_ID);
      }
      return ending.filter(([, { broughtTraces }]) => broughtTraces).length;
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions.keys()) session.destroy();
      server.close();
      await secret[Symbol.asyncDispose]();
    },
  };
}

/** The highest stream id (RFC 9113 §5.1.1), so that GOAWAY rejects no open stream. */
const LAST_STREAM_ID = 2 ** 31 - 1;

/** A gRPC message without fields, which means that the collector accepted everything. */
const EMPTY_MESSAGE = Buffer.alloc(5);

async function read({ files: { certFile, keyFile, caFile } }: MountedSecret) {
  const [cert, key, ca] = await Promise.all([certFile, keyFile, caFile].map((file) => readFile(file)));
  return { cert, key, ca } as { cert: Buffer; key: Buffer; ca: Buffer };
}
