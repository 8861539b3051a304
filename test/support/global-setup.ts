import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startNats } from '@ces/servers/nats/server';
import { freePort } from '@ces/servers/ports';
import { startPostgres } from '@ces/servers/postgres/server';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser address of the test server, database `postgres`. */
    postgresUrl: string;
    natsUrl: string;
  }
}

/** One real Postgres and one real nats-server for the whole run; every test file makes its own databases and prefixes. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-test-'));
  await chmod(directory, 0o711);
  const postgres = await startPostgres({
    dataDirectory: path.join(directory, 'postgres'),
    port: await freePort(0),
    password: 'test',
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' },
    logFile: path.join(directory, 'postgres.log'),
  });
  const nats = await startNats({
    storeDirectory: path.join(directory, 'nats'),
    port: await freePort(0),
    cacheDirectory: path.resolve(import.meta.dirname, '../../.cache'),
    logFile: path.join(directory, 'nats.log'),
  });
  project.provide('postgresUrl', postgres.superuserUrl('postgres'));
  project.provide('natsUrl', nats.url);
  return async () => {
    await nats[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  };
}
