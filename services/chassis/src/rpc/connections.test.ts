import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { acceptTokens } from '../../test-support/accept-tokens.ts';
import { listen } from '../service/listen.ts';
import { createLogger } from '../telemetry/log.ts';
import { createRpcClient } from './client.ts';
import { type RpcServerOptions, startRpcServer } from './server.ts';

const TOKEN = 'token-of-operations';
const NEVER_MS = 3_600_000;

async function startLedger(
  answer: (context: HandlerContext) => Promise<void> | void,
  options: Partial<RpcServerOptions> = {},
) {
  return await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => {
      router.service(LedgerService, {
        getAllowance: async (_, context) => {
          await answer(context);
          return {};
        },
      });
      router.service(RecordService, {});
    },
    callers: { [LedgerService.typeName]: { '*': ['operations'] } },
    callerTokens: acceptTokens({ operations: TOKEN }),
    logger: createLogger('test', 'silent'),
    ...options,
  });
}

function clientOf(url: string, timeoutMs = 5_000) {
  return createRpcClient(LedgerService, { url, callerToken: TOKEN, timeoutMs });
}

function rawCall(url: string, headers: http2.OutgoingHttpHeaders = {}) {
  const session = http2.connect(url);
  session.on('error', () => undefined);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${LedgerService.typeName}/GetAllowance`,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    ...headers,
  });
  stream.on('error', () => undefined);
  return Object.assign(stream, { [Symbol.dispose]: () => session.destroy() });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

test('a caller that may not call is refused on its headers: its body is neither read nor waited for', async () => {
  await using server = await startLedger(() => undefined);
  using stream = rawCall(server.url);
  stream.write(Buffer.alloc(1_000));
  const closed = once(stream, 'close');
  const [headers] = await once(stream, 'response');
  expect(headers['grpc-status']).toBe(String(Code.PermissionDenied));
  stream.resume();
  await closed;
  expect(stream.rstCode).toBe(http2.constants.NGHTTP2_NO_ERROR);
});

test('a connection ends at its greatest age, and no call is lost with it', async () => {
  await using server = await startLedger(() => undefined, { connectionAgeMs: 200 });
  const watched = http2.connect(server.url);
  const goneAway = once(watched, 'goaway');
  const client = clientOf(server.url);
  let calls = 0;
  const begun = performance.now();
  const caller = async () => {
    while (performance.now() - begun < 2_000 || calls <= 100) {
      await client.getAllowance({});
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  const [code] = await goneAway;
  expect(code).toBe(http2.constants.NGHTTP2_NO_ERROR);
  watched.destroy();
});

test('a call that outlives its connection by more than a keep-alive ping is answered all the same', async () => {
  let arrived = 0;
  const slow = async () => {
    arrived += 1;
    await pause(6_000);
  };
  await using server = await startLedger(slow, { connectionAgeMs: 300 });
  await clientOf(server.url, 20_000).getAllowance({});
  expect(arrived).toBe(1);
});

test('a server that ends finishes its calls, refuses none while ending, and closes as soon as they are done', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let arrived = 0;
  const server = await startLedger(
    async () => {
      arrived += 1;
      await held;
    },
    { drainLimitMs: NEVER_MS },
  );
  const client = clientOf(server.url);
  const calls = Array.from({ length: 20 }, () => client.getAllowance({}));
  await expect.poll(() => arrived).toBe(20);
  server.drain();
  const ended = server[Symbol.asyncDispose]();
  release();
  expect(await Promise.all(calls)).toHaveLength(20);
  await ended;
});

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return whyOf(error.cause);
  return error instanceof ConnectError ? error.rawMessage : error.message;
}

const untilAborted = async ({ signal }: HandlerContext) => {
  await once(signal, 'abort');
  signal.throwIfAborted();
};

test.each([
  ['that end when they are told to', untilAborted, true],
  ['that go on', () => new Promise<void>(() => undefined), false],
])(
  'calls %s, when their server has waited long enough, may be made again: another process is there',
  async (_, hang, told) => {
    let arrived = 0;
    const server = await startLedger(
      async (context) => {
        arrived += 1;
        await hang(context);
      },
      { drainLimitMs: 200 },
    );
    const client = clientOf(server.url);
    const asked = Promise.allSettled(Array.from({ length: 200 }, () => client.getAllowance({ subscriptionId: 1n })));
    await expect.poll(() => arrived).toBe(200);
    await server[Symbol.asyncDispose]();
    const errors = (await asked).map((call) =>
      call.status === 'rejected' ? ConnectError.from(call.reason) : undefined,
    );
    expect(new Set(errors.map((error) => error?.code))).toEqual(new Set([Code.Unavailable]));
    expect(errors.some((error) => whyOf(error) === 'this process ends')).toBe(told);
  },
);

test('a caller whose message was refused keeps no server from ending', async () => {
  const server = await startLedger(() => undefined, { drainLimitMs: NEVER_MS });
  using stream = rawCall(server.url, { 'x-ces-caller-token': TOKEN });
  stream.write(Buffer.from([0, 0xff, 0xff, 0xff, 0xff]));
  const [headers] = await once(stream, 'response');
  expect(headers['grpc-status']).toBe(String(Code.ResourceExhausted));
  await server[Symbol.asyncDispose]();
});

test('a body that does not come whole before its deadline ends with its stream, unanswered', async () => {
  let answered = 0;
  await using server = await startLedger(() => {
    answered += 1;
  });
  using stream = rawCall(server.url, { 'x-ces-caller-token': TOKEN, 'grpc-timeout': '300m' });
  stream.write(Buffer.from([0, 0, 0, 0, 100, 1]));
  await once(stream, 'close');
  expect(stream.rstCode).toBe(http2.constants.NGHTTP2_CANCEL);
  expect(answered).toBe(0);
});

test('peers that speak something else end no process: bytes of HTTP/1.1 at a server, a server of HTTP/1.1 at a client', async () => {
  await using server = await startLedger(() => undefined);
  const stranger = net.connect(portOf(server.url), '127.0.0.1');
  stranger.on('error', () => undefined);
  stranger.resume();
  stranger.write('GET / HTTP/1.1\r\nhost: ledger\r\n\r\n');
  await once(stranger, 'close');
  await clientOf(server.url).getAllowance({});
  const old = http.createServer((_, response) => response.end('hello'));
  await listen(old, '127.0.0.1', 0);
  const { port } = old.address() as net.AddressInfo;
  await expect(clientOf(`http://127.0.0.1:${port}`, 1_000).getAllowance({})).rejects.toMatchObject({
    code: Code.Unavailable,
  });
  old.closeAllConnections();
  old.close();
});
