import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptTokens } from '../../../test-support/accept-tokens.ts';
import { createLogger } from '../../telemetry/log.ts';
import { createRpcClient } from '../client.ts';
import { type RpcServer, startRpcServer } from '../server.ts';

let server: RpcServer;
beforeAll(async () => {
  server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: () => undefined,
    callers: {},
    callerTokens: acceptTokens({ operations: 'token' }),
    logger: createLogger('test', 'silent'),
  });
});
afterAll(() => server[Symbol.asyncDispose]());

async function codesOf(url: string): Promise<Code[]> {
  const client = createRpcClient(LedgerService, { url, callerToken: 'token', timeoutMs: 5_000 });
  const several = async () => {
    for await (const _ of client.post({})) break;
  };
  const calls = [client.charge({}), several()];
  return await Promise.all(calls.map((call) => call.then(fails, (error: unknown) => ConnectError.from(error).code)));
}

function fails(): never {
  throw new Error('the call was answered');
}

test('a method that a server does not know is unimplemented, whether it is unary or streaming', async () => {
  expect(await codesOf(server.url)).toEqual([Code.Unimplemented, Code.Unimplemented]);
});

test('another gRPC client gets the same status', async () => {
  using client = disposable(new Client(new URL(server.url).host, credentials.createInsecure()));
  const asIs = (bytes: Buffer) => bytes;
  const error = await new Promise<ServiceError | null>((resolve) => {
    client.makeUnaryRequest('/ces.ledger.v1.LedgerService/Unknown', asIs, asIs, Buffer.alloc(0), resolve);
  });
  expect(error?.code).toBe(status.UNIMPLEMENTED);
});

test('a server that ends a call without an answer is unavailable', async () => {
  const silent = http2.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/grpc+proto' });
    response.end();
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await codesOf(url)).toEqual([Code.Unavailable, Code.Unavailable]);
  silent.close();
});

function disposable(client: Client): Client & Disposable {
  return Object.assign(client, { [Symbol.dispose]: () => client.close() });
}
