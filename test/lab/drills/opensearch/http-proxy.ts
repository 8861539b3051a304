import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A proxy for one node or several, like a Kubernetes Service. */
export interface HttpProxy extends AsyncDisposable {
  readonly url: string;
  /** Holds bulks until `release`, then delivers them even if their sender is gone. */
  holdBulks(): void;
  release(): void;
  readonly held: () => number;
}

/** Assigns connections to `targets` round-robin. */
export async function startHttpProxy(targets: readonly string[]): Promise<HttpProxy> {
  let hold: PromiseWithResolvers<void> | undefined;
  let held = 0;
  let made = 0;
  const ofConnection = new WeakMap<Socket, string>();
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    void (async () => {
      const body = await read(request);
      if (hold && isBulk(request.url)) {
        held += 1;
        await hold.promise;
      }
      forward(request, body, response);
    })().catch(() => response.destroy());
  });
  const forward = (request: http.IncomingMessage, body: Buffer, response: http.ServerResponse) => {
    const { method, headers } = request;
    const target = ofConnection.get(request.socket) ?? targets[made++ % targets.length] ?? '';
    ofConnection.set(request.socket, target);
    const onward = http.request(new URL(request.url ?? '/', target), { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  };
  const release = () => {
    hold?.resolve();
    hold = undefined;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdBulks() {
      hold ??= Promise.withResolvers();
      held = 0;
    },
    release,
    held: () => held,
    async [Symbol.asyncDispose]() {
      release();
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, 'close').catch(() => undefined);
    },
  };
}

async function read(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function isBulk(url = ''): boolean {
  return url.split('?')[0]?.endsWith('/_bulk') ?? false;
}
