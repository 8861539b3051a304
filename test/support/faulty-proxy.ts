import { EventEmitter } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './random.ts';

/** Faults of the response direction. Requests always arrive, except for `half open` and `lost`. */
export type ProxyFault =
  | { readonly kind: 'none' }
  /**
   * Drops an answer with this probability and closes the connection. The work is done, but neither
   * side knows.
   */
  | { readonly kind: 'drop'; readonly probability: number }
  /** Delays every byte of an answer without queueing. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Discards all answers while both connections stay open. */
  | { readonly kind: 'silence' }
  /**
   * Discards both directions while the connections stay open. Afterwards resets connections that
   * lost data.
   */
  | { readonly kind: 'half open' }
  /** Connections open at the start of the fault never carry data again. New ones work. */
  | { readonly kind: 'lost' };

/**
 * After this time, the server's keep-alive closes a session whose client has vanished. The client
 * is not notified.
 */
const SERVER_NOTICES_MS = 15_000;

export interface FaultyProxy extends AsyncDisposable {
  readonly port: number;
  fault: ProxyFault;
  readonly dropped: () => number;
  retarget(port: number): void;
}

export async function startProxy(targetPort: number, random: Random): Promise<FaultyProxy> {
  const sockets = new Set<net.Socket>();
  const changed = new EventEmitter().setMaxListeners(0);
  let target = targetPort;
  let current: ProxyFault = { kind: 'none' };
  let dropped = 0;
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  // Disables Nagle's algorithm, because two proxies in series would wait 40 ms for delayed
  // acknowledgements.
  const server = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const socket of [near, far]) keep(socket);
    let lost = false;
    let lostForEver = false;
    const swallows = () => {
      lost ||= current.kind === 'half open';
      return lost || lostForEver;
    };
    const onFault = () => {
      if (current.kind === 'lost' && !lostForEver) {
        lostForEver = true;
        setTimeout(() => far.destroy(), SERVER_NOTICES_MS).unref();
      }
      if (lost && !lostForEver && current.kind !== 'half open')
        for (const socket of [near, far]) socket.resetAndDestroy();
    };
    changed.on('fault', onFault);
    const line = lateLine((chunk) => near.write(chunk));
    near.once('close', () => changed.off('fault', onFault));
    near.on('data', (chunk: Buffer) => {
      if (swallows()) dropped += 1;
      else if (!far.write(chunk)) {
        near.pause();
        far.once('drain', () => near.resume());
      }
    });
    near.once('end', () => current.kind === 'half open' || lostForEver || far.end());
    void (async () => {
      for await (const chunk of far) {
        const { fault } = proxy;
        if (swallows()) continue;
        if (fault.kind === 'silence') continue;
        if (fault.kind === 'drop' && random.chance(fault.probability)) {
          dropped += 1;
          break;
        }
        line.send(chunk, fault.kind === 'delay' ? fault.ms : 0);
      }
      await line.empty();
      if (!lostForEver) near.end();
      far.destroy();
    })().catch(() => lostForEver || near.destroy());
    near.once('close', () => lostForEver || far.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const proxy = {
    port,
    get fault() {
      return current;
    },
    set fault(fault: ProxyFault) {
      current = fault;
      changed.emit('fault');
    },
    dropped: () => dropped,
    retarget(port: number) {
      target = port;
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

function lateLine(write: (chunk: Buffer) => void) {
  let last = Promise.resolve();
  let waiting = 0;
  return {
    send(chunk: Buffer, ms: number) {
      if (ms === 0 && waiting === 0) {
        write(chunk);
        return;
      }
      waiting += 1;
      const due = performance.now() + ms;
      last = last.then(async () => {
        await pause(Math.max(0, due - performance.now()));
        waiting -= 1;
        write(chunk);
      });
    },
    empty: () => last,
  };
}
