import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../support/random.ts';

export type HttpFault =
  | { readonly kind: 'none' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Rejects each request with this probability, as an overloaded node does. */
  | { readonly kind: 'reject'; readonly probability: number }
  /**
   * Holds bulks that mention `naming` until the fault ends, then delivers them even if their sender
   * is gone.
   */
  | { readonly kind: 'hold bulks'; readonly naming: string };

/** A proxy for one node or several, like a Kubernetes Service. */
export interface HttpProxy extends AsyncDisposable {
  readonly url: string;
  fault: HttpFault;
  readonly met: () => number;
}

const REJECTED = JSON.stringify({
  error: { type: 'rejected_execution_exception', reason: 'rejected by the drill' },
  status: 429,
});
const LOOK_EVERY_MS = 20;

/** Assigns connections to `targets` round-robin. */
export async function startHttpProxy(targets: readonly string[], random: Random): Promise<HttpProxy> {
  let fault: HttpFault = { kind: 'none' };
  let met = 0;
  let made = 0;
  const ofConnection = new WeakMap<Socket, string>();
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    void (async () => {
      const body = await read(request);
      const laid = fault;
      if (laid.kind === 'reject' && random.chance(laid.probability)) {
        met += 1;
        response.writeHead(429, { 'content-type': 'application/json' }).end(REJECTED);
        return;
      }
      if (laid.kind === 'delay') {
        met += 1;
        await pause(laid.ms);
      }
      if (laid.kind === 'hold bulks' && isBulk(request.url) && `${request.url} ${body}`.includes(laid.naming)) {
        met += 1;
        while (fault === laid) await pause(LOOK_EVERY_MS);
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get fault() {
      return fault;
    },
    set fault(next: HttpFault) {
      fault = next;
      if (next.kind !== 'none') met = 0;
    },
    met: () => met,
    async [Symbol.asyncDispose]() {
      fault = { kind: 'none' };
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
