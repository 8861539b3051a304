import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { listen } from '../service/admin-server.ts';
import { ARRIVAL_OPTIONS } from '../service/arrival.ts';
import { type AppOptions, createApp } from './serving/app.ts';
import { createHttp2Server } from './serving/http2.ts';
import { startPreviousReleasePort } from './serving/previous-release.ts';
import { Sessions } from './serving/sessions.ts';
import { type RpcTls, serverCertificates } from './tls.ts';

/** How long calls in hand may take to end at shutdown, in milliseconds. */
const DRAIN_LIMIT_MS = 10_000;
/** Then calls are told that the process ends, and their answers get so long to leave, in milliseconds. */
const LAST_ANSWERS_MS = 500;
/** Greatest age of a connection, in milliseconds. */
const CONNECTION_AGE_MS = 60_000;

export interface RpcServerOptions extends AppOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Where its certificate is; absent or empty: plain text. */
  readonly tls?: RpcTls;
  /** Greatest age of a connection, in milliseconds. */
  readonly connectionAgeMs?: number;
  /** How long calls in hand may take to end at shutdown, in milliseconds. */
  readonly drainLimitMs?: number;
  /** Port for callers of the release before; absent or 0: none. */
  readonly previousReleasePort?: number;
}

export interface RpcServer extends AsyncDisposable {
  readonly url: string;
  /** Goes on serving, but asks callers to connect anew, so that they turn to another process. */
  drain(): void;
}

/** Serves gRPC, gRPC-Web and Connect over HTTP/2 on one port, in plain text or with TLS. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const {
    host,
    tls,
    connectionAgeMs = CONNECTION_AGE_MS,
    drainLimitMs = DRAIN_LIMIT_MS,
    previousReleasePort,
    logger,
  } = options;
  const certificates = tls && serverCertificates(tls, logger);
  const closing = new AbortController();
  const server = await createApp(options, closing.signal, (handle) => createHttp2Server(handle, certificates));
  const sessions = new Sessions(server, connectionAgeMs);
  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  const http1 = previousReleasePort ? await createApp(options, closing.signal, createHttp1Server) : undefined;
  const previous = http1 && (await startPreviousReleasePort(host, previousReleasePort ?? 0, port, http1));
  return {
    url: `${certificates ? 'https' : 'http'}://${host}:${port}`,
    drain: () => {
      sessions.notify();
      previous?.drain();
    },
    [Symbol.asyncDispose]: async () => {
      certificates?.[Symbol.dispose]();
      const closed = new Promise((resolve) => server.close(resolve));
      sessions.close();
      let timer = setTimeout(() => {
        closing.abort(new ConnectError('this process ends', Code.Unavailable));
        timer = setTimeout(() => sessions.destroy(), LAST_ANSWERS_MS);
      }, drainLimitMs);
      await Promise.all([closed, previous?.[Symbol.asyncDispose]()]);
      clearTimeout(timer);
    },
  };
}

function createHttp1Server(handle: unknown): http.Server {
  return http.createServer(ARRIVAL_OPTIONS, handle as http.RequestListener);
}
