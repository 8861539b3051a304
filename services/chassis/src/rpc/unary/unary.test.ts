import http from 'node:http';
import net from 'node:net';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  AcquisitionAdminService,
  type IngestDocumentRequestSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { AuthenticateRequestSchema, LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { Code, ConnectError, createClient, type HandlerContext, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect, test } from 'vitest';
import { createLogger } from '../../telemetry/log.ts';
import { ANYONE } from '../caller.ts';
import { createRpcClient } from '../client.ts';
import { FailureCode, fail, failureOf } from '../failure.ts';
import { MAX_MESSAGE_BYTES } from '../message-size.ts';
import { startRpcServer } from '../server.ts';

type Authenticate = (bearer: string, context: HandlerContext) => Promise<{ plan: string }> | { plan: string };

async function startLedgerOf(authenticate: Authenticate) {
  return await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) =>
      router.service(LedgerService, {
        authenticate: async ({ bearer }, context) => ({ principal: await authenticate(bearer, context) }),
      }),
    callers: { [LedgerService.typeName]: { '*': [ANYONE] } },
    callerTokens: new Map(),
    logger: createLogger('test', 'silent'),
  });
}

/** One client for every way a caller may choose; the first is our own. */
function everyWay(baseUrl: string) {
  const others: Transport[] = [
    createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: true }),
    createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false }),
    createConnectTransport({ baseUrl, httpVersion: '2', useBinaryFormat: true }),
    createGrpcTransport({ baseUrl }),
    createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }),
  ];
  const own = createRpcClient(LedgerService, { url: baseUrl, timeoutMs: 5_000 });
  return [own, ...others.map((transport) => createClient(LedgerService, transport))];
}

/** The same bytes as our own client sends, with other headers or another body. */
function post(url: string, body: Uint8Array, headers: http.OutgoingHttpHeaders = {}) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const request = http.request(`${url}/ces.ledger.v1.LedgerService/Authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/proto', ...headers },
    });
    request.on('error', reject);
    request.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() });
    });
    request.end(body);
  });
}

test('our own calls and those of every protocol get the same answer', async () => {
  await using server = await startLedgerOf((bearer) => ({ plan: `plan of ${bearer}` }));
  for (const client of everyWay(server.url))
    expect((await client.authenticate({ bearer: 'ü'.repeat(2_000) })).principal?.plan).toBe(
      `plan of ${'ü'.repeat(2_000)}`,
    );
});

test('a refusal reaches every caller with its code, its sentence and its Failure', async () => {
  await using server = await startLedgerOf(() => {
    throw fail(FailureCode.RATE_LIMITED, 'Wait a little.', { retryAfterSeconds: 7 });
  });
  for (const client of everyWay(server.url)) {
    const error = await client.authenticate({}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: Code.ResourceExhausted, rawMessage: 'Wait a little.' });
    expect(failureOf(error)).toMatchObject({ code: FailureCode.RATE_LIMITED, retryAfterSeconds: 7n });
  }
});

test('a sentence of megabytes holds nobody up: a failure is cut, and of any other refusal the status is read', async () => {
  const endless = 'x'.repeat(1_000_000);
  let refuse = () => fail(FailureCode.SERVICE_UNAVAILABLE, endless);
  await using server = await startLedgerOf(() => {
    throw refuse();
  });
  for (const client of everyWay(server.url)) {
    const error = await client.authenticate({}).catch((reason: unknown) => reason);
    expect(failureOf(error)?.message).toHaveLength(2_000);
  }
  refuse = () => new ConnectError(endless, Code.FailedPrecondition);
  const own = createRpcClient(LedgerService, { url: server.url, timeoutMs: 5_000 });
  await expect(own.authenticate({})).rejects.toMatchObject({ rawMessage: 'HTTP 400' });
});

test('a bug reaches no caller with its text', async () => {
  await using server = await startLedgerOf(() => {
    throw new Error('select secret from ledger');
  });
  for (const client of everyWay(server.url))
    await expect(client.authenticate({})).rejects.toMatchObject({ code: Code.Internal, rawMessage: 'internal error' });
});

test('what is no message, and a deadline that is none, are refused without a call', async () => {
  let called = 0;
  await using server = await startLedgerOf(() => {
    called += 1;
    return { plan: '' };
  });
  const message = toBinary(AuthenticateRequestSchema, create(AuthenticateRequestSchema, { bearer: 'b' }));
  expect(await post(server.url, Buffer.from([0x0a, 0xff]))).toMatchObject({ status: 500 });
  for (const timeout of ['soon', '-1', '120001'])
    expect(await post(server.url, message, { 'connect-timeout-ms': timeout })).toMatchObject({ status: 400 });
  expect(called).toBe(0);
  expect(await post(server.url, message, { 'connect-timeout-ms': '1000' })).toMatchObject({ status: 200 });
});

test('a request that breaks off is not called, and one whose caller has gone hears of it', async () => {
  const heard: string[] = [];
  await using server = await startLedgerOf((bearer, { signal }) => {
    heard.push(`called with ${bearer}`);
    const { promise, resolve } = Promise.withResolvers<{ plan: string }>();
    signal.addEventListener('abort', () => {
      heard.push(`${bearer} given up`);
      resolve({ plan: '' });
    });
    return promise;
  });
  const { hostname, port } = new URL(server.url);
  const head = (length: number) =>
    `POST /ces.ledger.v1.LedgerService/Authenticate HTTP/1.1\r\nhost: ledger\r\ncontent-type: application/proto\r\ncontent-length: ${length}\r\n\r\n`;
  const broken = net.connect(Number(port), hostname);
  await new Promise((resolve) => broken.write(`${head(100)}\x0a\x01`, resolve));
  broken.destroy();
  const gone = net.connect(Number(port), hostname);
  gone.write(`${head(3)}\x0a\x01b`);
  await expect.poll(() => heard).toEqual(['called with b']);
  gone.destroy();
  await expect.poll(() => heard).toEqual(['called with b', 'b given up']);
});

test('what streams has the bounds of every other call: its caller, its deadline and the size of a message', async () => {
  const heard: string[] = [];
  await using server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) =>
      router.service(AcquisitionAdminService, {
        ingestDocument: async (parts, { signal }) => {
          for await (const { part } of parts) heard.push(String(part.case));
          if (!heard.includes('chunk')) await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return {};
        },
      }),
    callers: { [AcquisitionAdminService.typeName]: { '*': ['admin'] } },
    callerTokens: new Map([['admin', 'token-of-admin']]),
    logger: createLogger('test', 'silent'),
  });
  const ingest = (callerToken: string, message: MessageInitShape<typeof IngestDocumentRequestSchema>) => {
    const client = createRpcClient(AcquisitionAdminService, { url: server.url, timeoutMs: 2_000, callerToken });
    return client.ingestDocument(
      (async function* () {
        yield message;
      })(),
    );
  };
  const chunk = (bytes: number) => ({ part: { case: 'chunk' as const, value: new Uint8Array(bytes) } });
  await expect(ingest('a guess', chunk(1))).rejects.toMatchObject({ code: Code.PermissionDenied });
  await expect(ingest('token-of-admin', chunk(MAX_MESSAGE_BYTES + 1))).rejects.toMatchObject({
    code: Code.ResourceExhausted,
  });
  expect(heard).toEqual([]);
  await expect(ingest('token-of-admin', { part: { case: 'file', value: {} } })).rejects.toMatchObject({
    code: Code.DeadlineExceeded,
  });
  await ingest('token-of-admin', chunk(1));
  expect(heard).toEqual(['file', 'chunk']);
});
