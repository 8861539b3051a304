import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { endConnectionsWhenClosing } from './drain.ts';

const CALL = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const READ_MS = 100;

async function startServer(answer: () => Promise<string>) {
  const app = fastify({ forceCloseConnections: 'idle' });
  endConnectionsWhenClosing(app, false, READ_MS);
  app.get('/', answer);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = net.connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  await once(client, 'connect');
  return { app, client };
}

test('a client that reads none of its answers does not keep a server from its end', async () => {
  const { app, client } = await startServer(async () => 'a'.repeat(1 << 24));
  client.pause();
  const asked = once(app.server, 'request');
  client.write(CALL.repeat(8));
  await asked;
  await app.close();
  client.destroy();
});

test('a call that takes longer than answers may be read is answered while the server ends', async () => {
  const { app, client } = await startServer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 4 * READ_MS));
    return 'late';
  });
  const asked = once(app.server, 'request');
  client.write(CALL);
  await asked;
  const closed = app.close();
  const [answer] = await once(client, 'data');
  expect(String(answer)).toContain('late');
  await closed;
});
