import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A TCP proxy that counts HTTP/2 frames from clients, without TLS. */
export interface FrameCounter extends AsyncDisposable {
  readonly address: string;
  readonly counts: Readonly<Record<'connections' | 'calls' | 'pings', number>>;
}

const HEADERS = 0x1;
const PING = 0x6;
const ACK = 0x1;
const FRAME_HEAD_BYTES = 9;
const PREFACE_BYTES = 24;

export async function startFrameCounter(target: string): Promise<FrameCounter> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const counts = { connections: 0, calls: 0, pings: 0 };
  const server = net.createServer({ noDelay: true }, (near) => {
    counts.connections += 1;
    const far = net.connect({ host: hostname, port: Number(port), noDelay: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on(
      'data',
      eachFrame((type, flags) => {
        if (type === HEADERS) counts.calls += 1;
        if (type === PING && (flags & ACK) === 0) counts.pings += 1;
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Parses frame heads (RFC 9113 §4.1) from a client's chunks. Skips the connection preface. */
function eachFrame(take: (type: number, flags: number) => void): (chunk: Buffer) => void {
  let head = Buffer.alloc(0);
  let skip = PREFACE_BYTES;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(skip, chunk.length - at);
      skip -= skipped;
      at += skipped;
      const read = Math.min(FRAME_HEAD_BYTES - head.length, chunk.length - at);
      head = Buffer.concat([head, chunk.subarray(at, at + read)]);
      at += read;
      if (head.length < FRAME_HEAD_BYTES) continue;
      take(head.readUInt8(3), head.readUInt8(4));
      skip = head.readUIntBE(0, 3);
      head = Buffer.alloc(0);
    }
  };
}
