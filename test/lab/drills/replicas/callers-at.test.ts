import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { callersAt } from './callers-at.ts';

test('callers of a process that reads nothing are listed with whether they sent more than a greeting, until they give up', async () => {
  await using cleanup = new AsyncDisposableStack();
  const server = net.createServer({ pauseOnConnect: true });
  server.on('connection', (socket) => cleanup.defer(() => void socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  const client = net.connect(port, '127.0.0.1');
  await once(client, 'connect');
  const seen = () => callersAt({ host: '127.0.0.1', url: `http://127.0.0.1:${port}` });
  const caller = { port: client.localPort, sentCalls: false };
  await expect.poll(seen).toEqual([caller]);
  client.write(Buffer.alloc(1_000));
  await expect.poll(seen).toEqual([{ ...caller, sentCalls: true }]);
  client.destroy();
  await expect.poll(seen).toEqual([]);
});
