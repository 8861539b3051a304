import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export type Act = (response: ServerResponse, seen: Seen) => void;

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly Seen[];
}

/** Performs one act of the script for each request; repeats the last one for further requests. */
export async function startScriptedServer(...script: readonly Act[]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const start = performance.now();
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const at = performance.now() - start;
    const one = { method, url, headers, at, body: await text(request) };
    seen.push(one);
    (script[seen.length - 1] ?? script.at(-1))?.(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Act {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function page(status: number, headers: Readonly<Record<string, string>> = {}): Act {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end('<html>the page of a proxy</html>');
  };
}

/** The connection ends without an answer, but the work may be done. */
export const hangUp: Act = (response) => response.destroy();

export const hangUpMidBody: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"usage":', () => response.destroy());
};

/** Ends the body early but properly, as a proxy may that lost its upstream. */
export const endEarly: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"usage":');
};

export const silence: Act = () => undefined;

export const slowBody: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"usage":');
};
