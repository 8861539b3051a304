import { Code, ConnectError } from '@connectrpc/connect';
import { listen, urlOf } from '../service/listen.ts';
import { type AppOptions, createApp } from './serving/app.ts';
import { createHttp2Server } from './serving/http2.ts';
import { CONNECTION_TIMES, type ConnectionTimes, Sessions } from './serving/sessions.ts';
import { type RpcTls, serverCertificates } from './tls.ts';

const DRAIN_LIMIT_MS = 10_000;
/** After the drain limit, aborted calls get this long to send their answers. */
const LAST_ANSWERS_MS = 500;

export interface RpcServerOptions extends AppOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: RpcTls;
  readonly connectionAgeMs?: number;
  readonly connectionTimes?: Partial<Omit<ConnectionTimes, 'ageMs'>>;
  readonly drainLimitMs?: number;
}

export interface RpcServer extends AsyncDisposable {
  readonly url: string;
  /** Sends GOAWAY, so that callers reconnect to another process. */
  drain(): void;
}

export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { host, tls, connectionAgeMs: ageMs = CONNECTION_TIMES.ageMs, drainLimitMs = DRAIN_LIMIT_MS, logger } = options;
  const certificates = tls && serverCertificates(tls, logger);
  const closing = new AbortController();
  const server = await createApp(options, closing.signal, (handle) => createHttp2Server(handle, certificates));
  const sessions = new Sessions(server, { ...CONNECTION_TIMES, ...options.connectionTimes, ageMs });
  await listen(server, host, options.port);
  return {
    url: urlOf(certificates ? 'https' : 'http', host, server),
    drain: () => sessions.notify(),
    [Symbol.asyncDispose]: async () => {
      certificates?.[Symbol.dispose]();
      const closed = new Promise((resolve) => server.close(resolve));
      sessions.close();
      let timer = setTimeout(() => {
        closing.abort(new ConnectError('this process ends', Code.Unavailable));
        timer = setTimeout(() => sessions.destroy(), LAST_ANSWERS_MS);
      }, drainLimitMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
