import { Health } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { expect, test } from 'vitest';
import { acceptTokens } from '../../test-support/accept-tokens.ts';
import { LOOPBACK } from '../../test-support/loopback.ts';
import { createLogger } from '../telemetry/log.ts';
import { createRpcClient } from './client.ts';
import { startRpcServer } from './server.ts';

async function startHealthServer(host = '127.0.0.1') {
  return await startRpcServer({
    host,
    port: 0,
    routes: () => undefined,
    callers: {},
    callerTokens: acceptTokens({}),
    introspection: true,
    logger: createLogger('test', 'silent'),
  });
}

test('one port answers our own calls, Connect over HTTP/2 and gRPC', async () => {
  await using server = await startHealthServer();
  const clients = [
    createRpcClient(Health, { url: server.url, timeoutMs: 2_000 }),
    createClient(Health, createConnectTransport({ baseUrl: server.url, httpVersion: '2' })),
    createClient(Health, createGrpcTransport({ baseUrl: server.url })),
  ];
  for (const client of clients) expect((await client.check({})).status).toBe(1);
});

test('on :: it is called by addresses of every family', async () => {
  await using server = await startHealthServer('::');
  const { port } = new URL(server.url);
  for (const host of LOOPBACK) {
    const client = createRpcClient(Health, { url: `http://${host}:${port}`, timeoutMs: 2_000 });
    expect((await client.check({})).status).toBe(1);
  }
});

test('a server that is gone is an outage with a code of its own, not a hang', async () => {
  const server = await startHealthServer();
  const client = createRpcClient(Health, { url: server.url, timeoutMs: 2_000 });
  await client.check({});
  await server[Symbol.asyncDispose]();
  await expect(client.check({})).rejects.toMatchObject({ message: expect.stringContaining('try again') });
});
