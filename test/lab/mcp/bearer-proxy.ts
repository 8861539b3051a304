import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface BearerProxy extends AsyncDisposable {
  readonly url: string;
}

/** Paces calls, because the runner exceeds the limit of 50 a second for one credential. */
const TURN_MS = 25;

/**
 * A loopback proxy that adds a credential and forwards everything else unchanged, including Host
 * and Origin.
 */
export async function startBearerProxy(target: string, token: string): Promise<BearerProxy> {
  const { hostname, port, pathname } = new URL(target);
  let nextTurn = 0;
  const server = http.createServer(async (incoming, answer) => {
    const turn = Math.max(performance.now(), nextTurn);
    nextTurn = turn + TURN_MS;
    await setTimeout(Math.max(0, turn - performance.now()));
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const outgoing = http.request({ hostname, port, path: pathname, method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}${pathname}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
