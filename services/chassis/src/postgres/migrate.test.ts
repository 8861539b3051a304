import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { migrate } from './migrate.ts';

const logger = createLogger('test', 'silent');
const MANY = 1_000;
const cleanup = new AsyncDisposableStack();
let server: pg.Client;
let directory: string;
let databaseUrl: string;
let user: pg.Client;
let other: pg.Client;

beforeAll(async () => {
  server = await connect(inject('postgresUrl'));
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-migrate-'));
  cleanup.defer(() => rm(directory, { recursive: true }));
  await writeFile(path.join(directory, '0001_thing.sql'), 'create table thing (id int);');
});
afterAll(() => cleanup.disposeAsync());

beforeEach(async () => {
  const name = `migrate_${process.pid}_${randomBytes(4).toString('hex')}`;
  await server.query(`create database ${name}`);
  cleanup.defer(async () => {
    await server.query(`drop database ${name} with (force)`);
  });
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  databaseUrl = url.href;
  await rm(path.join(directory, '0002_wider.sql'), { force: true });
  await migrate(directory, databaseUrl, logger);
  user = await connect(databaseUrl);
  other = await connect(databaseUrl);
});

test('a migration of a table that a long transaction holds gives up after its attempts, says so, and changes nothing', async () => {
  await widenWith('create table before (id int); alter table thing add column name text;');
  await user.query('begin');
  await user.query('select from thing');
  await expect(migrate(directory, databaseUrl, logger, { lockTimeoutMs: 50, attempts: 2 })).rejects.toThrow(
    'the migration gave up after 2 attempts of 50 ms',
  );
  const { rows } = await other.query(`select to_regclass('before') as before, array_agg(name) as done from migration`);
  expect(rows).toEqual([{ before: null, done: ['0001_thing'] }]);
});

test('statements before a migration that gave up stay applied, and the next run continues from there', async () => {
  await widenWith('create table before (id int);');
  await writeFile(path.join(directory, '0003_later.sql'), 'alter table thing add column name text;');
  cleanup.defer(() => rm(path.join(directory, '0003_later.sql'), { force: true }));
  await user.query('begin');
  await user.query('select from thing');
  await expect(migrate(directory, databaseUrl, logger, { lockTimeoutMs: 50, attempts: 2 })).rejects.toThrow('gave up');
  await user.query('commit');
  expect(await migrate(directory, databaseUrl, logger)).toBe(1);
  await rm(path.join(directory, '0003_later.sql'));
});

test('a database that other migrations made is refused and stays as it is', async () => {
  const baseline = await mkdtemp(path.join(os.tmpdir(), 'ces-baseline-'));
  cleanup.defer(() => rm(baseline, { recursive: true }));
  await writeFile(path.join(baseline, '0001_baseline.sql'), 'create table another (id int);');
  await expect(migrate(baseline, databaseUrl, logger)).rejects.toThrow('0001_baseline is preceding already run');
  const { rows } = await other.query(`select to_regclass('another') as made, array_agg(name) as done from migration`);
  expect(rows).toEqual([{ made: null, done: ['0001_thing'] }]);
});

test('a migration and a session that wait for each other do not end the migration', async () => {
  await other.query('create table second (id int)');
  await widenWith('lock table second; select pg_sleep(0.2); alter table thing add column name text;');
  await user.query('begin');
  await user.query('select from thing');
  const migration = migrate(directory, databaseUrl, logger, { lockTimeoutMs: 1_500, attempts: MANY });
  await untilItWaits();
  // After `deadlock_timeout` Postgres ends the session that waited longest: the migration, which
  // retries.
  await user.query('select from second').catch(() => undefined);
  await user.query('rollback');
  expect(await migration).toBe(1);
});

test('sessions that queue after a waiting migration continue before the wait of the migration ends', async () => {
  await widenWith('alter table thing add column name text;');
  await user.query('begin');
  await user.query('select from thing');
  const migration = migrate(directory, databaseUrl, logger, { lockTimeoutMs: 200, attempts: MANY });
  await untilItWaits();
  // Queues after the migration; without its lock timeout this waits for the first transaction.
  await other.query('select from thing');
  await user.query('commit');
  expect(await migration).toBe(1);
  await other.query('select name from thing');
});

test('of two concurrent runs the second waits for the first, however long that takes, and finds nothing to do', async () => {
  await widenWith('select pg_sleep(0.5); alter table thing add column name text;');
  const limits = { lockTimeoutMs: 50, attempts: 1 };
  const applied = await Promise.all([1, 2].map(() => migrate(directory, databaseUrl, logger, limits)));
  expect(applied.toSorted()).toEqual([0, 1]);
});

test('a session whose machine is lost, or whose process is stopped, is ended by the server, and its locks with it', async () => {
  const sessions = `select name, setting::int as setting from pg_settings where name in (
    'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout',
    'client_connection_check_interval', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'statement_timeout')`;
  await widenWith(`create table session as ${sessions};`);
  await migrate(directory, databaseUrl, logger);
  const { rows } = await other.query<{ name: string; setting: number }>('select * from session');
  const of = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  const silenceMs = (name: string) => (of[name] || Number.POSITIVE_INFINITY) * 1_000;
  expect(
    silenceMs('tcp_keepalives_idle') + silenceMs('tcp_keepalives_interval') * (of.tcp_keepalives_count ?? 0),
  ).toBeLessThanOrEqual(15_000);
  expect(of.tcp_user_timeout).toBe(15_000);
  expect(of.client_connection_check_interval).toBe(5_000);
  expect(of.idle_in_transaction_session_timeout).toBe(60_000);
  expect(of.idle_session_timeout).toBe(300_000);
  expect(of.statement_timeout).toBe(0);
});

test('a database that is still being made is waited for as long as is said, and not at all where nothing is said', async () => {
  const name = `migrate_later_${process.pid}_${randomBytes(4).toString('hex')}`;
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  const limits = { lockTimeoutMs: 50, attempts: 1 };
  await expect(migrate(directory, url.href, logger, limits)).rejects.toThrow('does not exist');
  const lines = new PassThrough();
  const migration = migrate(directory, url.href, createLogger('test', 'warn', lines), { ...limits, connectMs: 60_000 });
  await once(lines, 'data');
  await server.query(`create database ${name}`);
  cleanup.defer(async () => {
    await server.query(`drop database ${name} with (force)`);
  });
  expect(await migration).toBe(1);
});

test('a missing database is reported when the time to wait is over, and a faulty migration at once', async () => {
  const url = new URL(databaseUrl);
  url.pathname = '/no_such_database';
  const limits = { lockTimeoutMs: 50, attempts: 1 };
  await expect(migrate(directory, url.href, logger, { ...limits, connectMs: 1 })).rejects.toThrow('does not exist');
  await widenWith('select 1 from nothing;');
  await expect(migrate(directory, databaseUrl, logger, { ...limits, connectMs: 3_600_000 })).rejects.toThrow('nothing');
});

async function widenWith(sql: string): Promise<void> {
  await writeFile(path.join(directory, '0002_wider.sql'), sql);
}

async function untilItWaits(): Promise<void> {
  const waiting = `select 1 from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.application_name = 'migration' and a.datname = current_database()`;
  await expect.poll(async () => (await other.query(waiting)).rowCount, { interval: 10 }).toBe(1);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  cleanup.defer(() => client.end());
  return client;
}
