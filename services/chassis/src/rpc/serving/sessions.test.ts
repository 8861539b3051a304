import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { createAuthority } from '@ces/test/support/certificates.ts';
import { expect, test } from 'vitest';
import {
  callHeld,
  http1Clients,
  http2Clients,
  startHoldingServer,
  streamHeld,
} from '../../../test-support/held-calls.ts';
import { SLOW_PEERS, untilLeft } from '../../../test-support/slow-peers.ts';
import type { RpcServerOptions } from '../server.ts';
import type { RpcTls } from '../tls.ts';

const AGES = 5;
/** An empty SETTINGS frame. */
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const SHORT_LIVED = {
  connectionAgeMs: 200,
  connectionTimes: { noticeMs: 10, pingEveryMs: 20, silenceMs: 200 },
} satisfies Partial<RpcServerOptions>;

class Gate {
  arrived = 0;
  readonly #opened = Promise.withResolvers<void>();

  readonly hold = (): Promise<void> => {
    this.arrived += 1;
    return this.#opened.promise;
  };

  open(): void {
    this.#opened.resolve();
  }
}

/** Waits until the server has ended several idle connections, one after another. */
async function passAges(url: string, options: http2.SecureClientSessionOptions = {}): Promise<void> {
  for (let passed = 0; passed < AGES; passed += 1) await once(http2.connect(url, options), 'close');
}

async function holdThroughAges(
  gate: Gate,
  calls: readonly (() => Promise<void>)[],
  pass: () => Promise<void>,
): Promise<void> {
  const answered = Promise.all(calls.map((call) => call()));
  await Promise.race([answered, expect.poll(() => gate.arrived).toBe(calls.length)]);
  await Promise.race([answered, pass()]);
  gate.open();
  await answered;
  expect(gate.arrived).toBe(calls.length);
}

type Client = Parameters<typeof callHeld>[0];

const SHAPES = { unary: callHeld, streaming: streamHeld };

function callsOf(clients: readonly Client[]): (() => Promise<void>)[] {
  return clients.flatMap((client, at) => Object.values(SHAPES).map((call) => () => call(client, BigInt(at + 1))));
}

test.each([
  ['our own client', 'unary'],
  ['our own client', 'streaming'],
  ['Connect over HTTP/2', 'unary'],
  ['Connect over HTTP/2', 'streaming'],
  ['gRPC', 'unary'],
  ['gRPC', 'streaming'],
  ['gRPC-Web over HTTP/2', 'unary'],
  ['gRPC-Web over HTTP/2', 'streaming'],
] as const)('a call by %s, %s, is answered however many ages of its connection it takes', async (way, shape) => {
  const gate = new Gate();
  await using server = await startHoldingServer(gate.hold, SHORT_LIVED);
  const client = http2Clients(server.url)[way] as Client;
  const calls = [1n, 2n, 3n].map((sent) => () => SHAPES[shape](client, sent));
  await holdThroughAges(gate, calls, () => passAges(server.url));
});

test('so it is with mutual TLS, by HTTP/2 and by HTTP/1.1', async () => {
  await using folder = await temporaryFolder();
  const tls = await mutualTls(folder.path);
  const files = [tls.tlsCaFile, tls.tlsCertFile, tls.tlsKeyFile];
  const [ca, cert, key] = await Promise.all(files.map((file) => readFile(file)));
  const gate = new Gate();
  await using server = await startHoldingServer(gate.hold, { ...SHORT_LIVED, tls });
  const clients = [...Object.values(http2Clients(server.url, tls)), ...Object.values(http1Clients(server.url, tls))];
  await holdThroughAges(gate, callsOf(clients), () => passAges(server.url, { ca, cert, key }));
});

test('calls go on, however long, on connections whose server has asked for others', async () => {
  const gate = new Gate();
  await using server = await startHoldingServer(gate.hold, { ...SHORT_LIVED, connectionAgeMs: 60_000 });
  const answered = holdThroughAges(gate, callsOf(Object.values(http2Clients(server.url))), async () => {
    server.drain();
    for (let waited = 0; waited < AGES; waited += 1) {
      const client = http2.connect(server.url);
      await once(client, 'remoteSettings');
      server.drain();
      await once(client, 'close');
    }
  });
  await answered;
});

test('a caller with a call under way is not left because it answers no ping: the call has bounds of its own', async () => {
  const gate = new Gate();
  await using server = await startHoldingServer(gate.hold, SHORT_LIVED);
  await holdThroughAges(gate, [() => callWithoutPings(server.url)], () => passAges(server.url));
});

test('a caller with a call under way is sent no pings, so that the kernel asks whether it is there', async () => {
  const gate = new Gate();
  await using server = await startHoldingServer(gate.hold, { ...SHORT_LIVED, connectionAgeMs: 3_600_000 });
  const pings = { idle: 0, calling: 0 };
  const [idle, calling] = [http2.connect(server.url), http2.connect(server.url)];
  idle.on('ping', () => {
    pings.idle += 1;
  });
  calling.on('ping', () => {
    pings.calling += 1;
  });
  const stream = calling.request({
    ':method': 'POST',
    ':path': `/${LedgerService.typeName}/GetAllowance`,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
  });
  stream.end(Buffer.alloc(5));
  await expect.poll(() => gate.arrived).toBe(1);
  const before = { ...pings };
  await expect.poll(() => pings.idle).toBeGreaterThan(before.idle + AGES);
  // One ping may have been in transit.
  expect(pings.calling).toBeLessThanOrEqual(before.calling + 1);
  gate.open();
  await once(stream.resume(), 'close');
  for (const session of [idle, calling]) session.destroy();
});

test('a caller without a call that begins a head and goes on with nothing is left at once, however young', async () => {
  await using server = await startHoldingServer(() => Promise.resolve(), {
    ...SHORT_LIVED,
    connectionAgeMs: 3_600_000,
  });
  await untilLeft(server.url, SLOW_PEERS['begins a head of HTTP/2']);
});

test('a caller that does not end its side of a connection that its server has ended keeps nothing', async () => {
  await using server = await startHoldingServer(() => Promise.resolve(), {
    connectionAgeMs: 200,
    connectionTimes: { noticeMs: 10, silenceMs: 100 },
  });
  const socket = net.connect({ port: portOf(server.url), host: '127.0.0.1', allowHalfOpen: true });
  socket.write(Buffer.concat([Buffer.from(SLOW_PEERS['sends the preface of HTTP/2 and no settings']), SETTINGS]));
  await once(socket.resume(), 'end');
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const writing = setInterval(() => socket.write(SETTINGS), 50);
  await closed;
  clearInterval(writing);
});

test('a caller that does not read its answer keeps its connection no longer than any call may take', async () => {
  await using server = await startHoldingServer(() => Promise.resolve(), {
    ...SHORT_LIVED,
    connectionTimes: { ...SHORT_LIVED.connectionTimes, graceMs: 100 },
  });
  const session = http2.connect(server.url, { settings: { initialWindowSize: 0 } });
  const call = session.request({
    ':method': 'POST',
    ':path': `/${LedgerService.typeName}/GetAllowance`,
    'content-type': 'application/proto',
  });
  call.on('error', () => undefined).end();
  await once(call, 'response');
  await once(session, 'close');
});

test('a caller that is lost with a call under way is found by the kernel, which asks after seconds of silence', async () => {
  await using folder = await temporaryFolder();
  await using plain = await startHoldingServer(() => Promise.resolve());
  await using secure = await startHoldingServer(() => Promise.resolve(), { tls: await mutualTls(folder.path) });
  for (const port of [portOf(plain.url), portOf(secure.url)]) {
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    await expect.poll(() => kernelTimerOf(port, socket.localPort ?? 0)).toBe('keep-alive');
    socket.destroy();
  }
});

async function kernelTimerOf(serverPort: number, callerPort: number): Promise<string> {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  const own = connections.find(
    ([, local, remote]) => local?.endsWith(hex(serverPort)) && remote?.endsWith(hex(callerPort)),
  );
  return own?.[5]?.startsWith('02:') ? 'keep-alive' : 'none';
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function mutualTls(folder: string): Promise<RpcTls> {
  const { certFile, keyFile, caFile } = await (await createAuthority()).issue(folder, ['127.0.0.1']);
  const files = { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsCaFile: caFile };
  return { ...files, tlsClientAuth: 'require', tlsRefreshMs: 1_000 };
}

async function temporaryFolder() {
  const own = await mkdtemp(path.join(tmpdir(), 'ces-sessions-'));
  return { path: own, [Symbol.asyncDispose]: () => rm(own, { recursive: true }) };
}

function frame(type: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.from([0, 0, 0, type, flags, 0, 0, 0, 1]);
  head.writeUInt16BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), Buffer.of(value.length), Buffer.from(value)]);
}

/** Makes a call over a connection that answers no frame; rejects if it ends without an answer. */
async function callWithoutPings(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const headers = Buffer.concat([
    literal(':method', 'POST'),
    literal(':scheme', 'http'),
    literal(':authority', 'ledger'),
    literal(':path', `/${LedgerService.typeName}/GetAllowance`),
    literal('content-type', 'application/grpc+proto'),
    literal('te', 'trailers'),
  ]);
  const socket = net.connect(Number(port), hostname);
  socket.write(SLOW_PEERS['sends the preface of HTTP/2 and no settings']);
  socket.write(SETTINGS);
  socket.write(Buffer.concat([frame(1, 0x4, headers), frame(0, 0x1, Buffer.alloc(5))]));
  try {
    let received: Buffer = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (hasData(received)) return;
    }
    throw new Error('the connection ended before the call was answered');
  } finally {
    socket.destroy();
  }
}

function hasData(frames: Buffer): boolean {
  for (let at = 0; at + 9 <= frames.length; at += 9 + frames.readUIntBE(at, 3)) if (frames[at + 3] === 0) return true;
  return false;
}
