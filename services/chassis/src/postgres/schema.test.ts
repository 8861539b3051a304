import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../test-support/free-port.ts';
import { createLogger } from '../telemetry/log.ts';
import { migrate } from './migrate.ts';
import { waitForMigrations } from './schema.ts';

const logger = createLogger('test', 'silent');

test('code whose migrations have not all run lives, has started, is not ready, and goes on by itself when they have', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-schema-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const databaseUrl = await createDatabase();
  const adminPort = await freePort();
  await writeFile(path.join(directory, '0001_one.sql'), 'create table one (id int);');
  const waiting = waitForMigrations({ databaseUrl, host: '127.0.0.1', adminPort }, directory, logger);
  const statuses = () =>
    Promise.all(['livez', 'startupz', 'readyz'].map((probe) => statusOf(`http://127.0.0.1:${adminPort}/${probe}`)));
  await expect.poll(statuses).toEqual([200, 200, 503]);
  await migrate(directory, databaseUrl, logger);
  await waiting;
  expect(await statuses()).toEqual([undefined, undefined, undefined]);

  await writeFile(path.join(directory, '0002_two.sql'), 'create table two (id int);');
  const again = waitForMigrations({ databaseUrl, host: '127.0.0.1', adminPort }, directory, logger);
  await expect.poll(statuses).toEqual([200, 200, 503]);
  await migrate(directory, databaseUrl, logger);
  await again;
});

test('code from before a migration does not wait on the schema after it', async () => {
  const [newer, older] = [
    await mkdtemp(path.join(os.tmpdir(), 'ces-schema-')),
    await mkdtemp(path.join(os.tmpdir(), 'ces-schema-')),
  ];
  onTestFinished(async () => {
    for (const directory of [newer, older]) await rm(directory, { recursive: true });
  });
  const databaseUrl = await createDatabase();
  for (const directory of [newer, older])
    await writeFile(path.join(directory, '0001_one.sql'), 'create table one (id int);');
  await writeFile(path.join(newer, '0002_two.sql'), 'create table two (id int);');
  await migrate(newer, databaseUrl, logger);
  await waitForMigrations({ databaseUrl, host: '127.0.0.1', adminPort: 0 }, older, logger);
});

test('an unusable database is reported in one sentence', async () => {
  const url = new URL(inject('postgresUrl'));
  url.password = 'wrong';
  const options = { databaseUrl: url.href, host: '127.0.0.1', adminPort: 0 };
  const directory = path.join(import.meta.dirname, '../../../ledger/migrations');
  await expect(waitForMigrations(options, directory, logger)).rejects.toThrow('check its address, role and password.');
});

async function createDatabase(): Promise<string> {
  const name = `schema_${process.pid}_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(`create database ${name}`);
  onTestFinished(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function statusOf(url: string): Promise<number | undefined> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status;
}
