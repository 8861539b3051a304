import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  readonly address: string;
  readonly requests: http.IncomingMessage[];
  answer(handler: Handler): void;
}

export async function startLocalServer(handler: Handler): Promise<LocalServer> {
  const requests: http.IncomingMessage[] = [];
  let current = handler;
  const server = http.createServer((request, response) => {
    requests.push(request);
    current(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    address: `127.0.0.1:${port}`,
    requests,
    answer: (next) => {
      current = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
