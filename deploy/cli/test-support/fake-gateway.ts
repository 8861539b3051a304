import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: unknown;
}

export interface FakeGateway extends AsyncDisposable {
  readonly url: string;
  readonly calls: SeenCall[];
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The server destroys the connection after the call has arrived. */
  readonly isLost?: boolean;
}

export async function startFakeGateway(answer: (call: SeenCall) => Reply): Promise<FakeGateway> {
  const calls: SeenCall[] = [];
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body: text === '' ? undefined : JSON.parse(text) };
    calls.push(call);
    const reply = answer(call);
    if (reply.isLost) return request.socket.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
