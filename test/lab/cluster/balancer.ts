import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Endpoint {
  readonly url: string;
  readonly adminUrl: string;
}

/**
 * One address for several processes. Like a Kubernetes Service, it balances connections, not calls.
 */
export interface Balancer extends AsyncDisposable {
  readonly port: number;
  add(endpoint: Endpoint): void;
  remove(endpoint: Endpoint): void;
  untilReady(endpoint: Endpoint): Promise<void>;
  /** Connections without a ready process, or that the chosen process did not accept. */
  readonly refused: () => number;
}

const LOOK_EVERY_MS = 100;
const READY_WITHIN_MS = 60_000;

/**
 * Balances new connections round-robin over processes whose `/readyz` returns 200. Open connections
 * stay.
 */
export async function startBalancer(): Promise<Balancer> {
  const endpoints = new Map<Endpoint, boolean>();
  const sockets = new Set<net.Socket>();
  const closing = new AbortController();
  let turn = 0;
  let refused = 0;
  const server = net.createServer((near) => {
    const ready = [...endpoints].flatMap(([endpoint, isReady]) => (isReady ? [endpoint] : []));
    turn += 1;
    const chosen = ready[turn % ready.length];
    if (!chosen) {
      refused += 1;
      near.destroy();
      return;
    }
    const far = net.connect({ port: Number(new URL(chosen.url).port), host: '127.0.0.1', allowHalfOpen: true });
    far.once('error', () => {
      if (far.connecting || far.bytesRead === 0) refused += 1;
    });
    join(near, far, sockets);
  });
  const looking = look(endpoints, closing.signal);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    add: (endpoint) => endpoints.set(endpoint, false),
    remove: (endpoint) => endpoints.delete(endpoint),
    async untilReady(endpoint) {
      for (
        const deadline = performance.now() + READY_WITHIN_MS;
        !endpoints.get(endpoint);
        await pause(LOOK_EVERY_MS / 4)
      )
        if (performance.now() > deadline) throw new Error(`${endpoint.url} is not ready`);
    },
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await looking;
    },
  };
}

function join(near: net.Socket, far: net.Socket, sockets: Set<net.Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => other.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      other.end();
    });
    socket.pipe(other);
  }
}

async function look(endpoints: Map<Endpoint, boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(
      [...endpoints.keys()].map(async (endpoint) => {
        const isReady = await answersReady(endpoint);
        if (endpoints.has(endpoint)) endpoints.set(endpoint, isReady);
      }),
    );
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function answersReady({ adminUrl }: Endpoint): Promise<boolean> {
  const answer = await fetch(new URL('/readyz', adminUrl), { signal: AbortSignal.timeout(2_000) }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  return answer?.status === 200;
}
