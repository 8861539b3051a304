import { once } from 'node:events';
import net from 'node:net';

export interface ReplyLosingProxy extends AsyncDisposable {
  readonly url: string;
  readonly lost: number;
  /**
   * Drops the replies to the next `times` statements whose text contains `words`. It cuts their
   * connection after the server has answered, and so has committed. The text of a prepared
   * statement is sent only at its first use on a connection.
   */
  loseReplyTo(words: string, times?: number): void;
}

export async function startReplyLosingProxy(databaseUrl: string): Promise<ReplyLosingProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<net.Socket>();
  let [left, lost, wanted] = [0, 0, ''];
  const server = net.createServer((client) => {
    const upstream = net.connect({ host: target.hostname, port: Number(target.port || 5432) });
    let isDoomed = false;
    client.on('data', (bytes) => {
      if (left > 0 && !isDoomed && bytes.includes(wanted)) {
        isDoomed = true;
        left -= 1;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isDoomed) return void client.write(bytes);
      lost += 1;
      client.resetAndDestroy();
      upstream.destroy();
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    get lost() {
      return lost;
    },
    loseReplyTo(words, times = 1) {
      [wanted, left] = [words, times];
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
