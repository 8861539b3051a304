import { once } from 'node:events';
import http2 from 'node:http2';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  AcquisitionAdminService,
  type IngestDocumentRequestSchema,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { AuthenticateRequestSchema, LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { Code, ConnectError, createClient, type HandlerContext, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect, test } from 'vitest';
import { acceptOperator, acceptTokens } from '../../test-support/accept-tokens.ts';
import { FailureCode, fail, failureOf } from '../failure.ts';
import { createLogger } from '../telemetry/log.ts';
import { ANYONE } from './caller.ts';
import { createRpcClient } from './client.ts';
import { MAX_MESSAGE_BYTES } from './message-size.ts';
import { OPERATORS } from './operator.ts';
import { startRpcServer } from './server.ts';

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
    callerTokens: acceptTokens({}),
    logger: createLogger('test', 'silent'),
  });
}

/** One client per protocol; the first is our own. */
function everyWay(baseUrl: string) {
  const others: Transport[] = [
    createConnectTransport({ baseUrl, httpVersion: '2', useBinaryFormat: true }),
    createConnectTransport({ baseUrl, httpVersion: '2', useBinaryFormat: false }),
    createGrpcTransport({ baseUrl }),
    createGrpcWebTransport({ baseUrl, httpVersion: '2' }),
  ];
  const own = createRpcClient(LedgerService, { url: baseUrl, timeoutMs: 5_000 });
  return [own, ...others.map((transport) => createClient(LedgerService, transport))];
}

function request(url: string, headers: http2.OutgoingHttpHeaders = {}) {
  const session = http2.connect(url);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${LedgerService.typeName}/Authenticate`,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    ...headers,
  });
  return Object.assign(stream, { [Symbol.dispose]: () => session.destroy() });
}

function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([prefix, message]);
}

async function statusOf(stream: http2.ClientHttp2Stream): Promise<unknown> {
  const trailers = once(stream, 'trailers').then(([headers]) => headers['grpc-status']);
  const [head] = await once(stream, 'response');
  stream.resume();
  return head['grpc-status'] ?? (await trailers);
}

test('all protocols get the same answer as our own calls', async () => {
  await using server = await startLedgerOf((bearer) => ({ plan: `plan of ${bearer}` }));
  for (const client of everyWay(server.url))
    expect((await client.authenticate({ bearer: 'ü'.repeat(2_000) })).principal?.plan).toBe(
      `plan of ${'ü'.repeat(2_000)}`,
    );
});

test('a refusal reaches every caller with its code, its sentence and its Failure', async () => {
  await using server = await startLedgerOf(() => {
    throw fail(FailureCode.RATE_LIMITED, 'Warten Sie: ein „wenig“, 10 %.', { retryAfterSeconds: 7 });
  });
  for (const client of everyWay(server.url)) {
    const error = await client.authenticate({}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: Code.ResourceExhausted, rawMessage: 'Warten Sie: ein „wenig“, 10 %.' });
    expect(failureOf(error)).toMatchObject({ code: FailureCode.RATE_LIMITED, retryAfterSeconds: 7n });
  }
});

test('a message of megabytes is cut and delays no caller', async () => {
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
  for (const client of everyWay(server.url)) {
    const error = await client.authenticate({}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: Code.FailedPrecondition, rawMessage: 'x'.repeat(2_000) });
  }
});

test('a bug reaches no caller with its text', async () => {
  await using server = await startLedgerOf(() => {
    throw new Error('select secret from ledger');
  });
  for (const client of everyWay(server.url))
    await expect(client.authenticate({})).rejects.toMatchObject({ code: Code.Internal, rawMessage: 'internal error' });
});

test('a refusal is one frame of headers, and an outage of a dependency forbids another attempt', async () => {
  await using server = await startLedgerOf(() => {
    throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  });
  using call = request(server.url);
  call.end(framed(new Uint8Array()));
  const [headers, flags] = await once(call, 'response');
  expect(headers).toMatchObject({ 'grpc-status': String(Code.Unavailable), 'grpc-retry-pushback-ms': '-1' });
  expect(flags & http2.constants.NGHTTP2_FLAG_END_STREAM).toBeTruthy();
});

test('an invalid message and an invalid deadline are refused without a call', async () => {
  let called = 0;
  await using server = await startLedgerOf(() => {
    called += 1;
    return { plan: '' };
  });
  const message = toBinary(AuthenticateRequestSchema, create(AuthenticateRequestSchema, { bearer: 'b' }));
  const outcome = async (bytes: Uint8Array, headers?: http2.OutgoingHttpHeaders) => {
    using call = request(server.url, headers);
    call.end(framed(bytes));
    return await statusOf(call);
  };
  expect(await outcome(Buffer.from([0x0a, 0xff]))).not.toBe('0');
  for (const timeout of ['soon', '-1S', '121S'])
    expect(await outcome(message, { 'grpc-timeout': timeout })).toBe(String(Code.InvalidArgument));
  expect(called).toBe(0);
  expect(await outcome(message, { 'grpc-timeout': '1S' })).toBe('0');
});

test('a request that breaks off is not called, and one whose caller has gone is aborted', async () => {
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
  const broken = request(server.url);
  broken.on('error', () => undefined);
  await new Promise((resolve) => broken.write(framed(Buffer.alloc(100)).subarray(0, 20), resolve));
  broken[Symbol.dispose]();
  const gone = request(server.url);
  gone.on('error', () => undefined);
  gone.end(framed(Buffer.from('\x0a\x01b')));
  await expect.poll(() => heard).toEqual(['called with b']);
  gone[Symbol.dispose]();
  await expect.poll(() => heard).toEqual(['called with b', 'b given up']);
});

test('streams have the bounds of every other call: its caller, its deadline and the size of a message', async () => {
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
    callers: { [AcquisitionAdminService.typeName]: { '*': [OPERATORS] } },
    callerTokens: acceptTokens({}),
    operators: acceptOperator('token-of-admin'),
    logger: createLogger('test', 'silent'),
  });
  const ingest = (callerToken: string, message: MessageInitShape<typeof IngestDocumentRequestSchema>) => {
    const client = createRpcClient(AcquisitionAdminService, {
      url: server.url,
      timeoutMs: 2_000,
      callerToken,
      reason: 'a test',
    });
    return client.ingestDocument(
      (async function* () {
        yield message;
      })(),
    );
  };
  const chunk = (bytes: number) => ({ part: { case: 'chunk' as const, value: new Uint8Array(bytes) } });
  await expect(ingest('a guess', chunk(1))).rejects.toMatchObject({ code: Code.Unauthenticated });
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
