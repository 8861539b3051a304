import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../ports.ts';
import { NATS_USER, type NatsServer, startNats } from './server.ts';

let directory: string;
let running: NatsServer[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-nats-'));
  running = [];
});

afterEach(async () => {
  for (const server of running) await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

test('streams survive a restart', async () => {
  const first = await start(await freePort(0));
  await withStreams(first, (streams) => streams.add({ name: 'KEPT', subjects: ['kept'] }));
  await first[Symbol.asyncDispose]();
  const second = await start(await freePort(0));
  expect((await withStreams(second, (streams) => streams.info('KEPT'))).config.subjects).toEqual(['kept']);
});

test('a server that is still there is ended before another one starts over its store', async () => {
  const first = await start(await freePort(0));
  await start(await freePort(0));
  expect(await first.ended).not.toBeUndefined();
});

test('a server with a password accepts only clients that know it, and only its owner can read its file', async () => {
  const server = await start(await freePort(0), 'store', 'of-this-server');
  await expect(connect({ servers: server.url })).rejects.toThrow(/authorization/i);
  const known = await connect({ servers: server.url, user: NATS_USER, pass: 'of-this-server' });
  expect((await jetstreamManager(known)).streams).toBeDefined();
  await known.close();
  expect((await stat(path.join(directory, 'store/access.conf'))).mode & 0o777).toBe(0o600);
});

// Only Linux lists sockets in /proc in this form.
test.runIf(process.platform === 'linux')(
  'a server listens to its clients on the loopback address and nowhere else: no cluster, no monitoring',
  async () => {
    const server = await start(await freePort(0));
    expect(await listening(server.pid)).toEqual([new URL(server.url).host]);
  },
);

test('a port in use is named with the log to look at', async () => {
  const first = await start(await freePort(0));
  const port = Number(new URL(first.url).port);
  await expect(start(port, 'other')).rejects.toThrow(/nats-server did not start .*address already in use.*nats\.log/);
});

async function start(port: number, store = 'store', password?: string): Promise<NatsServer> {
  const server = await startNats({
    storeDirectory: path.join(directory, store),
    port,
    cacheDirectory: path.resolve(import.meta.dirname, '../../../../.cache'),
    logFile: path.join(directory, 'nats.log'),
    ...(password !== undefined && { password }),
  });
  running.push(server);
  return server;
}

async function withStreams<T>(
  server: NatsServer,
  work: (streams: Awaited<ReturnType<typeof jetstreamManager>>['streams']) => Promise<T>,
): Promise<T> {
  const connection = await connect({ servers: server.url });
  try {
    return await work((await jetstreamManager(connection)).streams);
  } finally {
    await connection.close();
  }
}

async function listening(pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(descriptors.map((one) => readlink(`/proc/${pid}/fd/${one}`).catch(() => '')));
  const own = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/${pid}/net/${table}`, 'utf8')));
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1)).map((row) => row.trim().split(/\s+/));
  return rows.filter((row) => row[3] === '0A' && own.has(row[9])).map((row) => addressOf(row[1] ?? ''));
}

/** `0100007F:1F90` is 127.0.0.1:8080. IPv6 addresses stay in hexadecimal. */
function addressOf(text: string): string {
  const [host = '', port = ''] = text.split(':');
  const bytes = host.length === 8 ? (host.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).reverse() : [];
  return `${bytes.join('.') || host}:${Number.parseInt(port, 16)}`;
}
