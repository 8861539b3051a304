import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BearerProxy extends AsyncDisposable {
  readonly url: string;
}

/** A server on loopback that adds a credential and passes everything else on as it is, Host and Origin too. */
export async function startBearerProxy(target: string, token: string): Promise<BearerProxy> {
  const { hostname, port, pathname } = new URL(target);
  const server = http.createServer((incoming, answer) => {
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
