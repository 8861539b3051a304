import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.ts';

/** What the proxy does to what comes back. What goes there always arrives. */
export type ProxyFault =
  | { readonly kind: 'none' }
  /** An answer is lost with this probability, and the connection with it: the work was done, nobody hears of it. */
  | { readonly kind: 'drop'; readonly probability: number }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Nothing comes back, and nobody is told. */
  | { readonly kind: 'silence' };

/** A TCP proxy in front of one server. */
export interface FaultyProxy extends AsyncDisposable {
  readonly port: number;
  fault: ProxyFault;
  readonly dropped: () => number;
}

export async function startProxy(targetPort: number, random: Random): Promise<FaultyProxy> {
  const sockets = new Set<net.Socket>();
  let dropped = 0;
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = net.createServer((near) => {
    const far = net.connect(targetPort, '127.0.0.1');
    for (const socket of [near, far]) keep(socket);
    near.pipe(far);
    void (async () => {
      for await (const chunk of far) {
        const { fault } = proxy;
        if (fault.kind === 'delay') await pause(fault.ms);
        if (fault.kind === 'silence') continue;
        if (fault.kind === 'drop' && random.chance(fault.probability)) {
          dropped += 1;
          break;
        }
        near.write(chunk);
      }
      near.end();
      far.destroy();
    })().catch(() => near.destroy());
    near.once('close', () => far.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const proxy = {
    port,
    fault: { kind: 'none' } as ProxyFault,
    dropped: () => dropped,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
