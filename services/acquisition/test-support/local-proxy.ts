import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

export interface LocalProxy extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly string[];
  hello(): string;
}

export type Tunnels = 'join' | 'nowhere' | 'refuse';

export async function startProxy(tunnels: Tunnels = 'join'): Promise<LocalProxy> {
  const asked: string[] = [];
  const sockets = new Set<net.Socket>();
  let hello = '';
  const server = http.createServer((_, response) => response.writeHead(405).end());
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, socket: net.Socket) => {
    asked.push(request.url ?? '');
    socket.on('error', () => socket.destroy());
    if (tunnels === 'refuse') {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (tunnels === 'nowhere')
      socket.once('data', (chunk) => {
        hello = chunk.toString('latin1');
        socket.destroy();
      });
    else joinTo(request.url ?? '', socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    hello: () => hello,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function joinTo(address: string, socket: net.Socket): void {
  const { hostname, port } = new URL(`http://${address}`);
  const far = net.connect(Number(port), hostname);
  far.on('error', () => socket.destroy());
  far.on('close', () => socket.destroy());
  far.pipe(socket).pipe(far);
}
