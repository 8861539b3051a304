import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface PassingRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/**
 * `cut` drops the request before it reaches the engine; `cut-after` drops the answer. An object is
 * the answer, and a function changes the engine's JSON answer.
 */
type Interception =
  | 'pass'
  | 'cut'
  | 'cut-after'
  | { readonly status: number; readonly body: unknown }
  | ((answer: unknown) => unknown);

export interface InterceptingProxy extends AsyncDisposable {
  readonly url: string;
  /** They are in order, as `POST /_bulk`. */
  readonly requests: readonly string[];
  intercept: (request: PassingRequest) => Interception;
  hold: (request: PassingRequest) => Promise<void>;
}

export async function startInterceptingProxy(target: string): Promise<InterceptingProxy> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const { method = 'GET', url = '/' } = request;
      requests.push(`${method} ${url.split('?')[0]}`);
      const passing = { method, path: url, body: body.toString() };
      await proxy.hold(passing);
      const decision = proxy.intercept(passing);
      if (decision === 'cut') return void request.socket.destroy();
      if (typeof decision === 'object') {
        response.writeHead(decision.status, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify(decision.body));
      }
      const answer = await fetch(target + url, {
        method,
        headers: {
          'content-type': request.headers['content-type'] ?? 'application/json',
          ...(request.headers.authorization !== undefined && { authorization: request.headers.authorization }),
        },
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      if (decision === 'cut-after') return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
      const changed = typeof decision === 'function' ? JSON.stringify(decision(JSON.parse(text))) : text;
      response.end(method === 'HEAD' ? undefined : changed);
    });
  });
  // No connection idles this long in a test that analyses long texts.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: InterceptingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    intercept: () => 'pass',
    hold: async () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
