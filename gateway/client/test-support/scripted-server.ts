import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived. */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds since the server started. */
  readonly at: number;
}

/** What a server does with one request. */
export type Act = (response: ServerResponse, seen: Seen) => void;

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly Seen[];
}

/** An HTTP server that does one act of a script for each request; the last one for all that follow. */
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

/** Answers with JSON. */
export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Act {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers as a proxy does that speaks for itself. */
export function page(status: number, headers: Readonly<Record<string, string>> = {}): Act {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end('<html>the page of a proxy</html>');
  };
}

/** Ends the connection without an answer: the work may have been done. */
export const hangUp: Act = (response) => response.destroy();

/** Ends the connection in the middle of an answer. */
export const hangUpMidBody: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"usage":', () => response.destroy());
};

/** Ends a body in its middle, as a proxy may that lost the other side. */
export const endEarly: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"usage":');
};

/** Never answers. */
export const silence: Act = () => undefined;

/** Begins an answer and never ends it. */
export const slowBody: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"usage":');
};
