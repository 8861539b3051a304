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

/** A collector of OTLP with TLS, by gRPC and over HTTP, that wants a certificate and keeps what it is sent. */
export interface TlsCollector extends AsyncDisposable {
  readonly url: string;
  /** The serial number of the certificate that was last shown with a signal. */
  readonly shown: ReadonlyMap<CollectedSignal, string>;
  /** What was sent of a signal, in order. */
  received(signal: CollectedSignal): readonly Buffer[];
  /** Shows a new certificate by `by` from now on, and trusts `trusted` (PEM), to whoever connects anew. */
  replace(by: Authority, trusted: string): Promise<void>;
  /** Asks whoever speaks gRPC to connect anew; how many connections end by it that brought traces. */
  endSessions(): number;
}

interface Session {
  broughtTraces: boolean;
  /** Whether its other end was asked to connect anew. */
  isEnding: boolean;
}

/** Starts it on the loopback address with a certificate by `by`, which it trusts. */
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
      // What has begun may end there.
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

/** No stream has a number beyond it: none that is open is given up. */
const LAST_STREAM_ID = 2 ** 31 - 1;

/** A gRPC message without a field: nothing was left out. */
const EMPTY_MESSAGE = Buffer.alloc(5);

async function read({ files: { certFile, keyFile, caFile } }: MountedSecret) {
  const [cert, key, ca] = await Promise.all([certFile, keyFile, caFile].map((file) => readFile(file)));
  return { cert, key, ca } as { cert: Buffer; key: Buffer; ca: Buffer };
}
