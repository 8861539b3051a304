// @module-tag nightly
import net from 'node:net';
import { createAuthority } from '@ces/test/support/certificates.ts';
import { createTestDatabase } from '@ces/test/support/database.ts';
import { type FaultyProxy, startProxy } from '@ces/test/support/faulty-proxy.ts';
import { MountedSecret } from '@ces/test/support/mounted-secret.ts';
import { seeded } from '@ces/test/support/random.ts';
import { startTlsPostgres } from '@ces/test/support/tls-postgres.ts';
import { someOf } from '@ces/test/support/volume.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { isTransient } from '../rpc/error.ts';
import { createLogger } from '../telemetry/log.ts';
import type { PostgresTls } from './connection.ts';
import { allowLongStatements } from './long-statements.ts';
import { createPool, inTransaction, type Pool } from './pool.ts';
import { type DatabaseWatch, watchDatabase } from './watch.ts';

const logger = createLogger('test', 'silent');
const CONNECTIONS = 10;
const TRUSTED_MS = 2_500;

interface Server {
  readonly port: number;
  readonly url: string;
  readonly tls?: PostgresTls;
}

let cleanup: AsyncDisposableStack;
let proxy: FaultyProxy;
let server: Server;

beforeEach(() => {
  cleanup = new AsyncDisposableStack();
});
afterEach(() => cleanup.disposeAsync());

async function inPlainText(): Promise<Server> {
  const { url } = cleanup.use(await createTestDatabase('ledger'));
  return { port: Number(new URL(inject('postgresUrl')).port), url };
}

async function overTls(): Promise<Server> {
  const authority = await createAuthority();
  const postgres = cleanup.use(await startTlsPostgres(authority));
  await postgres.query("create role service login password 'test'");
  const { certFile, keyFile, caFile } = cleanup.use(await MountedSecret.create(authority, ['service'])).files;
  const { port } = postgres.server;
  const tls = { postgresCaFile: caFile, postgresCertFile: certFile, postgresKeyFile: keyFile };
  return { port, url: `postgres://service:test@localhost:${port}/postgres`, tls };
}

async function use(start: () => Promise<Server>): Promise<void> {
  server = await start();
  proxy = cleanup.use(await startProxy(server.port, seeded('silence')));
}

function startPool(statementTimeoutMs = 30_000): Pool {
  const address = new URL(server.url);
  address.port = String(proxy.port);
  const pool = createPool({
    connectionString: address.href,
    ...(server.tls && { tls: server.tls }),
    max: CONNECTIONS,
    applicationName: 'silence',
    statementTimeoutMs,
    logger,
    pipeline: true,
  });
  cleanup.defer(() => pool.end());
  return pool;
}

async function watched(pool: Pool): Promise<DatabaseWatch> {
  return cleanup.use(await watchDatabase(pool, logger));
}

async function fill(pool: Pool): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query('select pg_sleep(0.1)')));
  expect(pool.idleCount).toBe(CONNECTIONS);
}

const WAYS = [
  ['in plain text', inPlainText],
  ['over TLS', overTls],
] as const;

describe.each(someOf(WAYS, 1))('%s', (_how, start) => {
  beforeEach(() => use(start), 60_000);

  test('a caller gets a live connection after all connections have silently died', async () => {
    const pool = startPool();
    await fill(pool);
    proxy.fault = { kind: 'lost' };
    const began = performance.now();
    await expect.poll(() => performance.now() - began).toBeGreaterThan(TRUSTED_MS);
    const { rows } = await pool.query('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
    await fill(pool);
  });

  test('connections that die while all are busy are dropped, and waiting statements fail as transient', async () => {
    const pool = startPool();
    const watch = await watched(pool);
    await fill(pool);
    const working = Array.from({ length: CONNECTIONS }, () =>
      pool.query('select pg_sleep(20)').catch((error: unknown) => error),
    );
    await expect.poll(() => pool.idleCount).toBe(0);
    proxy.fault = { kind: 'lost' };
    await expect.poll(() => watch.state()).toBe('unreachable');
    await expect.poll(() => watch.state()).toBe('answering');
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    for (const error of await Promise.all(working)) expect(isTransient(error)).toBe(true);
  });

  test('without the watch a statement is given up once its server must have ended it', async () => {
    const pool = startPool(500);
    await fill(pool);
    proxy.fault = { kind: 'lost' };
    const lost = await pool.query('select 1').catch((error: unknown) => error);
    expect(isTransient(lost)).toBe(true);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('a connection attempt gives up a server that accepts connections and is silent', async () => {
    const pool = startPool();
    proxy.fault = { kind: 'silence' };
    const watch = await watched(pool);
    const refused = await pool.query('select 1').catch((error: unknown) => error);
    expect(isTransient(refused)).toBe(true);
    expect(watch.state()).toBe('unreachable');
    proxy.fault = { kind: 'none' };
    await expect.poll(() => watch.state()).toBe('answering');
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('a server that falls silent, and speaks again, is not reachable meanwhile', async () => {
    const pool = startPool(500);
    const watch = await watched(pool);
    await fill(pool);
    proxy.fault = { kind: 'silence' };
    await expect.poll(() => watch.state()).toBe('unreachable');
    const lost = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => pool.query('select 1').catch((error: unknown) => error)),
    );
    expect(lost.map(isTransient)).toEqual(lost.map(() => true));
    proxy.fault = { kind: 'none' };
    await expect.poll(() => watch.state()).toBe('answering');
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

test('the server is configured to end sessions of a lost machine, both of the pool and of its watch', async () => {
  const told: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (startup) => {
      told.push(startup.toString());
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const { port } = server.address() as net.AddressInfo;
  const pool = createPool({
    connectionString: `postgres://a:b@127.0.0.1:${port}/c`,
    max: 1,
    applicationName: 'a',
    logger,
  });
  cleanup.defer(() => pool.end());
  await expect(pool.query('select 1')).rejects.toThrow();
  await watched(pool);
  expect(told.length).toBeGreaterThan(1);
  for (const startup of told) expect(startup).toContain('tcp_user_timeout=15000');
});

describe('in plain text', () => {
  beforeEach(() => use(inPlainText));

  test('statements that may take long continue, although the server is watched', async () => {
    const pool = startPool(500);
    await watched(pool);
    const slept = await inTransaction(pool, async (client) => {
      await allowLongStatements(client);
      return await client.query('select pg_sleep(5)');
    });
    expect(slept.rowCount).toBe(1);
  });

  test('statements continue when the server ends only the session of the watch with a message', async () => {
    const pool = startPool();
    const watch = await watched(pool);
    const sleeping = pool.query('select pg_sleep(6)').then(
      ({ rowCount }) => rowCount,
      (error: unknown) => error,
    );
    await asOwner((owner) =>
      owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'silence watch'`),
    );
    expect(await sleeping).toBe(1);
    expect(watch.state()).toBe('answering');
  });

  test('a pool whose connections are all taken is saturated, which is not unreachable', async () => {
    const pool = startPool();
    const watch = await watched(pool);
    const held = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
    const waiting = pool.query('select 1');
    expect(watch.state()).toBe('saturated');
    for (const client of held) client.release();
    await waiting;
    expect(watch.state()).toBe('answering');
  });

  test('a server that takes no more writes is seen, and left for the one that does', async () => {
    const pool = startPool();
    const watch = await watched(pool);
    await fill(pool);
    await asOwner((owner) => owner.query(`alter database ${nameOf(server)} set default_transaction_read_only = on`));
    await asOwner((owner) =>
      owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'silence'`),
    );
    await expect.poll(() => pool.totalCount).toBe(0);
    const write = () => pool.query(`update credential set last_used_at = null where false`);
    const refused = await write().catch((error: unknown) => error);
    expect((refused as { code?: string }).code).toBe('25006');
    expect(isTransient(refused)).toBe(true);
    expect(watch.state()).toBe('read-only');
    await asOwner((owner) => owner.query(`alter database ${nameOf(server)} reset default_transaction_read_only`));
    await expect.poll(() => watch.state()).toBe('answering');
    await write();
  });
});

async function asOwner(work: (owner: pg.Client) => Promise<unknown>): Promise<void> {
  const owner = new pg.Client({ connectionString: inject('postgresUrl') });
  await owner.connect();
  await work(owner);
  await owner.end();
}

function nameOf({ url }: Server): string {
  return new URL(url).pathname.slice(1);
}
