import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../ports.ts';
import { removeDirectory } from '../processes/account.ts';
import { type PostgresServer, startPostgres } from './server.ts';

let directory: string;
let running: PostgresServer[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-postgres-'));
  await chmod(directory, 0o711);
  running = [];
});

afterEach(async () => {
  for (const server of running) await server[Symbol.asyncDispose]();
  await removeDirectory(path.join(directory, 'data'));
  await rm(directory, { recursive: true, force: true });
});

test('a database lives below a directory that only its owner may enter, and keeps what was written', async () => {
  await chmod(directory, 0o700);
  const first = await start();
  await query(first, 'create table kept as select 7 as number');
  await first[Symbol.asyncDispose]();
  const second = await start();
  expect(await query(second, 'select number from kept')).toEqual([{ number: 7 }]);
});

test('the next start removes the incomplete data of a killed first start', async () => {
  await mkdir(path.join(directory, 'data/unfinished-x7/cluster'), { recursive: true });
  const server = await start();
  expect(await query(server, 'show server_version_num')).toEqual([
    { server_version_num: expect.stringMatching(/^18/) },
  ]);
});

// Recovery syncs every file of the cluster, which is slow on a busy disk.
test('a database whose process was killed comes back with what was committed', async () => {
  const first = await start();
  await query(first, 'create table kept as select 7 as number');
  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  const second = await start();
  expect(await query(second, 'select number from kept')).toEqual([{ number: 7 }]);
});

test('a server that is still there is ended before another one starts over its data', async () => {
  const first = await start();
  const second = await start();
  expect(await first.ended).toBe(0);
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('data below a directory that was closed later is not abandoned', async () => {
  const first = await start();
  await first[Symbol.asyncDispose]();
  await chmod(directory, 0o700);
  if (process.getuid?.() === 0) await expect(start()).rejects.toThrow(/only root may enter .*chmod o\+x/);
  else await start();
});

test('an incomplete database is named in one sentence and nothing of it is lost', async () => {
  const first = await start();
  await first[Symbol.asyncDispose]();
  await rm(path.join(directory, 'data/18/PG_VERSION'));
  await expect(start()).rejects.toThrow(
    /data\/18 is not a complete database \(no PG_VERSION\): .*--fresh.*CES_DATA_DIR/,
  );
  await writeFile(path.join(directory, 'data/18/PG_VERSION'), '18\n', { mode: 0o644 });
  const second = await start();
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a database with another password is recognised as part of another stack', async () => {
  const first = await start();
  await first[Symbol.asyncDispose]();
  await expect(start('another')).rejects.toThrow(/belongs to another stack .*--fresh/);
});

test('a database that its server cannot open is named in one sentence', async () => {
  const first = await start();
  await first[Symbol.asyncDispose]();
  await rename(path.join(directory, 'data/18/base'), path.join(directory, 'base'));
  await expect(start()).rejects.toThrow(/^the database in .*data cannot be opened \(.*\): start with --fresh/);
});

async function start(password = 'test'): Promise<PostgresServer> {
  const server = await startPostgres({
    dataDirectory: path.join(directory, 'data'),
    port: await freePort(0),
    password,
    settings: { shared_buffers: '16MB' },
    logFile: path.join(directory, 'postgres.log'),
  });
  running.push(server);
  return server;
}

async function query(server: PostgresServer, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.superuserUrl('postgres') });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
