import type http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { listen } from '../../service/admin-server.ts';
import { HEAD_LIMIT_MS } from '../../service/arrival.ts';

/** How long a call of the release before may take to end at shutdown, in milliseconds: a little longer than until it is told. */
const DRAIN_LIMIT_MS = 10_500;

export interface PreviousReleasePort extends AsyncDisposable {
  /** From now on every connection ends with its next answer. */
  drain(): void;
}

/**
 * Takes Connect over HTTP/1.1 for `http1` and, on the same port, HTTP/2, which is passed on to `http2Port`. While a release is rolled
 * out, services of the one before call this one by HTTP/1.1, at the address where callers from outside speak gRPC. Goes with
 * the next release.
 */
export async function startPreviousReleasePort(
  host: string,
  port: number,
  http2Port: number,
  http1: http.Server,
): Promise<PreviousReleasePort> {
  let draining = false;
  http1.keepAliveTimeout = 75_000;
  http1.prependListener('request', (_request, response) => {
    if (draining) response.setHeader('connection', 'close');
  });
  await listen(http1, '127.0.0.1', 0);
  const http1Port = (http1.address() as AddressInfo).port;
  const relay = net.createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(HEAD_LIMIT_MS, () => socket.destroy());
    socket.once('readable', () => {
      socket.setTimeout(0);
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.unshift(first);
      const isHttp2 = first.subarray(0, 3).toString('latin1') === 'PRI';
      const target = isHttp2 ? { host, port: http2Port } : { host: '127.0.0.1', port: http1Port };
      const onward = net.connect({ ...target, noDelay: true });
      pipeline(socket, onward, socket, () => undefined);
    });
  });
  await listen(relay, host, port);
  return {
    drain: () => {
      draining = true;
    },
    [Symbol.asyncDispose]: async () => {
      draining = true;
      relay.close();
      const closed = new Promise((resolve) => http1.close(resolve));
      const timer = setTimeout(() => http1.closeAllConnections(), DRAIN_LIMIT_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}
