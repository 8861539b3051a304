import { EventEmitter } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';

/** What the proxy does to what comes back. What goes there arrives, unless the connection is half open. */
export type ProxyFault =
  | { readonly kind: 'none' }
  /** An answer is lost with this probability, and the connection with it: the work was done, neither side learns of it. */
  | { readonly kind: 'drop'; readonly probability: number }
  /** Every byte of an answer comes so much later; none waits for another. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Nothing comes back, and neither side is informed. */
  | { readonly kind: 'silence' }
  /** Nothing goes either way and neither side is informed; when it is over, connections that have lost something are reset. */
  | { readonly kind: 'half open' }
  /** Connections that stand when it begins carry nothing any more, for ever, whatever comes later; new ones work. */
  | { readonly kind: 'lost' };

/** The server's own keep-alive ends a session whose client is gone after so many milliseconds; the client hears of nothing. */
const SERVER_NOTICES_MS = 15_000;

/** A TCP proxy in front of one server. */
export interface FaultyProxy extends AsyncDisposable {
  readonly port: number;
  fault: ProxyFault;
  readonly dropped: () => number;
  /** New connections go to another server, and those that stand are cut. */
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
  // Nothing is held back: two of these in a row would else wait 40 ms for each other's acknowledgement.
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

/** Hands chunks on in their order, each as late as was asked for it, or as the one before it. */
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
