import { chmod, mkdtemp, readdir, readlink, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startNats } from '@ces/servers/nats/server';
import { freePort } from '@ces/servers/ports';
import { startPostgres } from '@ces/servers/postgres/server';
import { expectNoCrash } from '@ces/servers/test-support/crash';
import type { TestProject } from 'vitest/node';
import { openSearchForTheRun } from './opensearch/for-the-run.ts';
import { startPooler } from './pooler.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser address of the test server, database `postgres`. */
    postgresUrl: string;
    natsUrl: string;
    /** Port of the pooler that services reach their databases by; 0: directly. */
    poolerPort: number;
    /** Empty: none, and tests that need it are skipped (`describeWithOpenSearch`). */
    openSearchUrl: string;
  }
}

const CACHE = path.resolve(import.meta.dirname, '../../.cache');
/**
 * Process ids are unique only within one PID namespace. The prefix names it, so that a run in a
 * container does not delete the folders of running processes outside.
 */
const PREFIX = `ces-run-${/\d+/.exec(await readlink('/proc/self/ns/pid').catch(() => ''))?.[0] ?? 0}-`;
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Starts one real Postgres and one real nats-server for the whole run. Every test file makes its
 * own databases and prefixes. Temporary files are in memory if there is room: the tests create and
 * drop hundreds of databases of hundreds of files each.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const parent = await temporaryFolder();
  await sweep(parent);
  const directory = await mkdtemp(path.join(parent, `${PREFIX}${process.pid}-`));
  await chmod(directory, 0o711);
  process.env.TMPDIR = directory;
  // Half of what a process costs is compiling what the one before it compiled.
  process.env.NODE_COMPILE_CACHE ??= path.join(CACHE, 'compiled');
  const postgresLog = path.join(directory, 'postgres.log');
  const postgres = await startPostgres({
    dataDirectory: path.join(directory, 'postgres'),
    port: await freePort(0),
    password: 'test',
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      max_wal_size: '512MB',
      file_copy_method: 'clone',
    },
    logFile: postgresLog,
  });
  const poolerPort = process.env.CES_TEST_POOLER ? await freePort(0) : 0;
  const pooler = await startPoolerBefore(postgres.port, directory, poolerPort);
  const nats = await startNats({
    storeDirectory: path.join(directory, 'nats'),
    port: await freePort(0),
    cacheDirectory: CACHE,
    logFile: path.join(directory, 'nats.log'),
  });
  const openSearch = await openSearchForTheRun(directory);
  project.provide('postgresUrl', postgres.superuserUrl('postgres'));
  project.provide('natsUrl', nats.url);
  project.provide('poolerPort', poolerPort);
  project.provide('openSearchUrl', openSearch.url);
  return async () => {
    await openSearch[Symbol.asyncDispose]();
    await nats[Symbol.asyncDispose]();
    await pooler?.[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
    await expectNoCrash(postgresLog).finally(() => rm(directory, { recursive: true, force: true }));
  };
}

/** The pooler that CES_TEST_POOLER names, by its path, if it does (`npm run lab -- pooler`). */
async function startPoolerBefore(
  postgresPort: number,
  directory: string,
  port: number,
): Promise<AsyncDisposable | undefined> {
  const program = process.env.CES_TEST_POOLER;
  return program ? await startPooler({ program, directory, port, postgresPort, password: 'test' }) : undefined;
}

async function temporaryFolder(): Promise<string> {
  const { bavail = 0, bsize = 0 } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ROOM_BYTES ? MEMORY : os.tmpdir();
}

/** What runs that were killed have left. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
